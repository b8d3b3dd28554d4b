/** An OpenID Connect provider on loopback: it publishes its keys over HTTP, sends browsers back with codes, and signs tokens. */
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type Header, OAuth2Issuer, OAuth2Service, type Payload } from "oauth2-mock-server"

/** The default audience of tokens. */
export const clientId = "livery-app"

/** Handles a request in place of the provider; `properly` responds as the provider does. */
export type Answering = (request: IncomingMessage, response: ServerResponse, properly: () => void) => void

export interface IdentityProvider {
  readonly issuer: string
  /** The paths of the requests that it has received. */
  readonly asked: ReadonlyArray<string>
  /** Its current private key as a JWK. */
  readonly key: () => Readonly<Record<string, unknown>>
  /**
   * Signs a token that is valid for an hour by this machine's clock. `claims` and `header` override its fields;
   * `undefined` removes one.
   */
  readonly token: (
    claims?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>
  ) => Effect.Effect<string>
  /** Puts these claims into the identity tokens that it gives for codes; `undefined` removes one. */
  readonly identifyAs: (claims: Readonly<Record<string, unknown>>) => void
  /** Signs with a new key of that algorithm from now on, and publishes it beside the others. */
  readonly rotate: (algorithm?: string) => Effect.Effect<void>
  /** Handles requests with this function from now on; `undefined` restores the provider's own responses. */
  readonly answerWith: (listener: Answering | undefined) => void
}

const listening = (listener: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const server = createServer(listener).listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ port, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Opens a provider, which closes with the scope. */
export const identityProvider = Effect.gen(function* () {
  const made = new OAuth2Issuer()
  const service = new OAuth2Service(made)
  const asked: Array<string> = []
  let answering: Answering | undefined
  let current = ""
  const { port } = yield* listening((request, response) => {
    asked.push(request.url ?? "")
    const properly = () => service.requestHandler(request, response)
    if (answering === undefined) properly()
    else answering(request, response, properly)
  })
  const issuer = `http://127.0.0.1:${port}`
  made.url = issuer

  const rotate = (algorithm = "RS256") =>
    Effect.promise(async () => {
      const { kid } = await made.keys.generate(algorithm)
      current = kid
    })
  yield* rotate()

  let identity: Readonly<Record<string, unknown>> = {}
  service.on("beforeTokenSigning", ({ payload }: { readonly payload: object }) =>
    Object.assign(payload, identity)
  )

  const provider: IdentityProvider = {
    issuer,
    asked,
    key: () => made.keys.toJSON(true).find(({ kid }) => kid === current) ?? {},
    token: (claims = {}, header = {}) =>
      Effect.promise(() =>
        made.buildToken({
          kid: current,
          scopesOrTransform: (defaultHeader: Header, defaultClaims: Payload) => {
            Object.assign(defaultClaims, { sub: "subject-1", aud: clientId }, claims)
            Object.assign(defaultHeader, header)
          }
        })
      ),
    identifyAs: (claims) => {
      identity = claims
    },
    rotate,
    answerWith: (listener) => {
      answering = listener
    }
  }
  return provider
})
