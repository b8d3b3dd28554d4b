/** An OpenID Connect provider on loopback: it publishes its keys over HTTP and signs whatever a test has it say. */
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type Header, OAuth2Issuer, OAuth2Service, type Payload } from "oauth2-mock-server"

/** The client id that tokens are made for, unless a test says otherwise. */
export const clientId = "livery-app"

/** Does what it likes with the response; `properly` answers as the provider should. */
export type Answering = (request: IncomingMessage, response: ServerResponse, properly: () => void) => void

export interface IdentityProvider {
  readonly issuer: string
  /** What has been asked of it, as paths. */
  readonly asked: ReadonlyArray<string>
  /** The private key that it signs with now, as a JWK. */
  readonly key: () => Readonly<Record<string, unknown>>
  /**
   * Signs a token that is good for an hour from now on, by this machine's clock, changed by `claims` and `header`;
   * `undefined` leaves one out.
   */
  readonly token: (
    claims?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>
  ) => Effect.Effect<string>
  /** From now on, signs with a key of that algorithm that nobody has seen, and publishes it beside the others. */
  readonly rotate: (algorithm?: string) => Effect.Effect<void>
  /** From now on, answers thus; `undefined` for as it should. */
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

/** Opens a provider for as long as the scope is open. */
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

  const provider: IdentityProvider = {
    issuer,
    asked,
    key: () => made.keys.toJSON(true).find(({ kid }) => kid === current) ?? {},
    token: (claims = {}, header = {}) =>
      Effect.promise(() =>
        made.buildToken({
          kid: current,
          scopesOrTransform: (itsHeader: Header, itsClaims: Payload) => {
            Object.assign(itsClaims, { sub: "subject-1", aud: clientId }, claims)
            Object.assign(itsHeader, header)
          }
        })
      ),
    rotate,
    answerWith: (listener) => {
      answering = listener
    }
  }
  return provider
})
