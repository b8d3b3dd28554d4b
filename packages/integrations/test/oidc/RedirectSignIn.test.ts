import { assert, describe, it } from "@effect/vitest"
import { IdentityProviders, type ReturnedSignIn } from "@livery/domain"
import { OpenIdProviders } from "@livery/integrations"
import { Effect, Layer, Logger, Redacted } from "effect"
import {
  type Answering,
  clientId,
  type IdentityProvider,
  identityProvider
} from "../../../../test/support/IdentityProvider.ts"

const signInPage = "http://127.0.0.1:3000/login"

type Claims = Readonly<Record<string, unknown>>

const person = { sub: "ada-1", email: "ada@cars.example", email_verified: true, name: "Ada" }

/** Two providers with buttons, a third one without, and the port that trusts them. */
const offering = Effect.fnUntraced(function* (
  clientSecret?: string,
  loggers: ReadonlyArray<Logger.Logger<unknown, unknown>> = []
) {
  const [provider, other, silent] = [
    yield* identityProvider,
    yield* identityProvider,
    yield* identityProvider
  ]
  const button = (name: string) => ({
    name,
    clientId,
    clientSecret: clientSecret === undefined ? undefined : Redacted.make(clientSecret)
  })
  const issuers = [
    { issuer: provider.issuer, audiences: ["app", clientId], button: button("One") },
    { issuer: other.issuer, audiences: [clientId], button: button("Two") },
    { issuer: silent.issuer, audiences: [clientId] }
  ]
  const context = yield* Layer.build(
    Layer.merge(OpenIdProviders.layer({ issuers, signInPage }), Logger.layer(loggers))
  )
  const port = <A, E>(use: (it: (typeof IdentityProviders)["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(IdentityProviders.use(use), context)
  for (const one of [provider, other]) one.identifyAs(person)

  /** Begins, and goes to the provider as a browser does. */
  const visit = Effect.fnUntraced(function* (issuer = provider.issuer) {
    const { address, secret } = yield* port((it) => it.begin(issuer))
    const sent = yield* Effect.promise(() => fetch(address, { redirect: "manual" }))
    const back = new URL(sent.headers.get("location") ?? "about:blank")
    const code = Redacted.make(back.searchParams.get("code") ?? "")
    const state = back.searchParams.get("state") ?? ""
    return { address: new URL(address), back, returned: { secret, code, state, iss: null } }
  })
  const finish = (returned: ReturnedSignIn) => port((it) => it.finish(returned))
  /** Why a return is refused, or the name of the defect. */
  const refused = (returned: ReturnedSignIn) =>
    Effect.map(Effect.flip(Effect.sandbox(finish(returned))), ({ reasons }) =>
      reasons.map((reason) => {
        if (reason._tag === "Fail") return reason.error._tag
        return reason._tag === "Die" && reason.defect instanceof Error ? reason.defect.name : "no defect"
      })
    )
  return { provider, other, silent, port, visit, finish, refused }
})

/** Answers requests for a path of the provider with this JSON, and keeps the bodies that it received. */
const answeringFor =
  (path: string, status: number, body: (sent: string) => unknown): Answering =>
  (request, response, properly) => {
    if (!(request.url ?? "").startsWith(path)) return properly()
    let sent = ""
    request.on("data", (part: Buffer) => (sent += part.toString()))
    request.on("end", () =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body(sent)))
    )
    return undefined
  }

const discovery = "/.well-known/openid-configuration"

/** What a provider says of itself. */
const discoveryOf = ({ issuer }: IdentityProvider) =>
  Effect.promise(async () => Object(await (await fetch(issuer + discovery)).json()) as object)

describe("a sign-in by redirect", () => {
  it.live("asks the provider for a code with state, nonce and a PKCE challenge, and gives the person", () =>
    Effect.gen(function* () {
      const { finish, provider, visit } = yield* offering()
      const { address, back, returned } = yield* visit()
      const query = Object.fromEntries(address.searchParams)
      assert.strictEqual(address.origin, provider.issuer)
      assert.deepInclude(query, {
        response_type: "code",
        client_id: clientId,
        redirect_uri: signInPage,
        scope: "openid email profile",
        code_challenge_method: "S256"
      })
      const proofs = [
        query["state"],
        query["nonce"],
        query["code_challenge"],
        Redacted.value(returned.secret)
      ]
      for (const proof of proofs) assert.match(proof ?? "", /^[\w-]{43}$/u)
      assert.strictEqual(new Set(proofs).size, 4)
      assert.strictEqual(`${back.origin}${back.pathname}`, signInPage)
      assert.deepStrictEqual(yield* finish(returned), {
        issuer: provider.issuer,
        subject: "ada-1",
        email: "ada@cars.example",
        emailVerified: true,
        name: "Ada"
      })
    })
  )

  it.live("makes new proofs each time", () =>
    Effect.gen(function* () {
      const { visit } = yield* offering()
      const [first, second] = [yield* visit(), yield* visit()]
      assert.notStrictEqual(Redacted.value(first.returned.secret), Redacted.value(second.returned.secret))
      assert.notStrictEqual(first.returned.state, second.returned.state)
    })
  )

  it.live("is offered for providers with a button, where there is a sign-in page", () =>
    Effect.gen(function* () {
      const { other, port, provider, silent } = yield* offering()
      assert.deepStrictEqual(yield* port((it) => it.offered), [
        { issuer: provider.issuer, name: "One" },
        { issuer: other.issuer, name: "Two" }
      ])
      for (const issuer of [silent.issuer, "https://elsewhere.example"])
        assert.strictEqual((yield* Effect.flip(port((it) => it.begin(issuer))))._tag, "FeatureUnavailable")
      const button = { name: "One", clientId, clientSecret: undefined }
      const issuers = [{ issuer: provider.issuer, audiences: [clientId], button }]
      const pageless = yield* Layer.build(OpenIdProviders.layer({ issuers }))
      assert.isEmpty(
        yield* Effect.provide(
          IdentityProviders.use((it) => it.offered),
          pageless
        )
      )
    })
  )

  it.live("is refused in another browser, with another state, and a second time", () =>
    Effect.gen(function* () {
      const { finish, refused, visit } = yield* offering()
      const [mine, theirs] = [(yield* visit()).returned, (yield* visit()).returned]
      assert.deepStrictEqual(yield* refused({ ...mine, secret: theirs.secret }), ["Unauthorized"])
      assert.deepStrictEqual(yield* refused({ ...mine, state: theirs.state }), ["Unauthorized"])
      assert.deepStrictEqual(yield* refused({ ...mine, state: "" }), ["Unauthorized"])
      yield* finish(mine)
      assert.deepStrictEqual(yield* refused(mine), ["Unauthorized"])
    })
  )

  it.live("does not accept the code of another person's sign-in, whose PKCE challenge is another", () =>
    Effect.gen(function* () {
      const { refused, visit } = yield* offering()
      const [mine, theirs] = [(yield* visit()).returned, (yield* visit()).returned]
      assert.deepStrictEqual(yield* refused({ ...mine, code: theirs.code }), ["Unauthorized"])
    })
  )

  it.live("sends a code to no other provider than the one that it began with", () =>
    Effect.gen(function* () {
      const { finish, other, provider, refused, visit } = yield* offering()
      const { returned } = yield* visit()
      assert.deepStrictEqual(yield* refused({ ...returned, iss: other.issuer }), ["Unauthorized"])
      assert.isEmpty(other.asked)
      assert.strictEqual((yield* finish({ ...returned, iss: provider.issuer })).issuer, provider.issuer)
      assert.isEmpty(other.asked)
    })
  )

  it.live("needs the name of the issuer from a provider that announces it", () =>
    Effect.gen(function* () {
      const { finish, provider, refused, visit } = yield* offering()
      const known = yield* discoveryOf(provider)
      provider.answerWith(
        answeringFor(discovery, 200, () =>
          Object.assign({}, known, { authorization_response_iss_parameter_supported: true })
        )
      )
      const { returned } = yield* visit()
      assert.deepStrictEqual(yield* refused(returned), ["Unauthorized"])
      assert.strictEqual((yield* finish({ ...returned, iss: provider.issuer })).subject, "ada-1")
    })
  )

  it.live.each<readonly [title: string, claims: Claims]>([
    ["another nonce", { nonce: "of another sign-in" }],
    ["no nonce", { nonce: undefined }],
    ["an audience that only other apps have", { aud: "app" }],
    ["another authorized party", { azp: "app" }],
    ["another issuer", { iss: "https://elsewhere.example" }],
    ["an expiry that is past", { exp: 1 }]
  ])("refuses an identity token with %s", ([, claims]) =>
    Effect.gen(function* () {
      const { provider, refused, visit } = yield* offering()
      const { returned } = yield* visit()
      provider.identifyAs({ ...person, ...claims })
      assert.deepStrictEqual(yield* refused(returned), ["Unauthorized"])
    })
  )

  it.live("sends the client's secret in the header, or in the body of a provider that takes no header", () =>
    Effect.gen(function* () {
      const { provider, refused, visit } = yield* offering("s;ö %")
      const known = yield* discoveryOf(provider)
      const sent: Array<readonly [header: string | undefined, body: string | null]> = []
      const verifiers: Array<string | null> = []
      const tokens: Answering = (request, response, properly) =>
        answeringFor("/token", 400, (body) => {
          const form = new URLSearchParams(body)
          sent.push([request.headers.authorization, form.get("client_secret")])
          verifiers.push(form.get("code_verifier"))
        })(request, response, properly)
      const described = answeringFor(discovery, 200, () =>
        Object.assign({}, known, { token_endpoint_auth_methods_supported: undefined })
      )
      provider.answerWith((request, response, properly) =>
        described(request, response, () => tokens(request, response, properly))
      )
      assert.deepStrictEqual(yield* refused((yield* visit()).returned), ["Unauthorized"])
      assert.match(verifiers[0] ?? "", /^[\w-]{43}$/u)

      // This provider announces no method with a header.
      const posting = yield* offering("s;ö %")
      posting.provider.answerWith(tokens)
      assert.deepStrictEqual(yield* posting.refused((yield* posting.visit()).returned), ["Unauthorized"])
      assert.deepStrictEqual(sent, [
        [`Basic ${btoa(`${clientId}:s%3B%C3%B6+%25`)}`, null],
        [undefined, "s;ö %"]
      ])
    })
  )

  it.live.each<readonly [title: string, status: number, body: unknown]>([
    ["with an error", 503, {}],
    ["that it does not know the client", 401, { error: "invalid_client" }],
    ["without an identity token", 200, { access_token: "x" }]
  ])("is unavailable while the provider answers %s", ([, status, body]) =>
    Effect.gen(function* () {
      const { provider, refused, visit } = yield* offering()
      const { returned } = yield* visit()
      provider.answerWith(answeringFor("/token", status, () => body))
      assert.deepStrictEqual(yield* refused(returned), ["Unavailable"])
    })
  )

  it.live.each([400, 401, 403])("is refused if the provider refuses the code with status %s", (status) =>
    Effect.gen(function* () {
      const { provider, refused, visit } = yield* offering()
      const { returned } = yield* visit()
      provider.answerWith(answeringFor("/token", status, () => ({ error: "invalid_grant" })))
      assert.deepStrictEqual(yield* refused(returned), ["Unauthorized"])
    })
  )

  it.live("logs a wrong configuration if the provider refuses the client", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      const { provider, refused, visit } = yield* offering(undefined, [logger])
      for (const [status, error] of [
        [400, "unauthorized_client"],
        [401, "invalid_client"]
      ] as const) {
        const { returned } = yield* visit()
        provider.answerWith(answeringFor("/token", status, () => ({ error })))
        assert.deepStrictEqual(yield* refused(returned), ["Unavailable"])
        provider.answerWith(undefined)
        assert.include(JSON.stringify(lines.at(-1)), `configured wrongly, because it answers ${error}`)
      }
    })
  )

  it.live.each(["http://elsewhere.example/authorize", "javascript:alert(1)"])(
    "sends no browser to an address without encryption: %s",
    (authorization_endpoint) =>
      Effect.gen(function* () {
        const { port, provider } = yield* offering()
        const known = yield* discoveryOf(provider)
        provider.answerWith(
          answeringFor(discovery, 200, () => Object.assign({}, known, { authorization_endpoint }))
        )
        const begun = yield* Effect.exit(port((it) => it.begin(provider.issuer)))
        assert.strictEqual(begun._tag, "Failure")
      })
  )
})
