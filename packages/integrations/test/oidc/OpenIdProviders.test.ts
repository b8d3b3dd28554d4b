import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto"
import { IdentityProviders } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { OpenIdProviders } from "@livery/integrations"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SignJWT } from "jose"
import {
  clientId,
  type Answering,
  type IdentityProvider,
  identityProvider
} from "../../../../test/support/IdentityProvider.ts"

type Options = Partial<Parameters<typeof OpenIdProviders.layer>[0]>

const seconds = () => Math.floor(Date.now() / 1000)

/** A provider, and the port that trusts it. */
const trusting = Effect.fnUntraced(function* (options: Options = {}, others: ReadonlyArray<string> = []) {
  const provider = yield* identityProvider
  const issuers = [provider.issuer, ...others].map((issuer) => ({ issuer, audiences: [clientId, "app-2"] }))
  const context = yield* Layer.build(
    Layer.merge(OpenIdProviders.layer({ issuers, ...options }), Logger.layer([]))
  )
  const verify = (token: string) =>
    Effect.provide(
      IdentityProviders.use((it) => it.verify(Redacted.make(token))),
      context
    )
  const refused = (token: string) => Effect.map(Effect.flip(verify(token)), ({ _tag }) => _tag)
  /** The name of the defect of an effect. */
  const fault = (token: string) =>
    Effect.map(Effect.flip(Effect.sandbox(verify(token))), ({ reasons }) =>
      reasons.map((reason) =>
        reason._tag === "Die" && reason.defect instanceof Error ? reason.defect.name : "no defect"
      )
    )
  return { provider, verify, refused, fault }
})

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url")

const goodClaims = ({ issuer }: IdentityProvider) => ({
  iss: issuer,
  aud: clientId,
  sub: "subject-1",
  iat: seconds(),
  exp: seconds() + 600
})

/** Claims and headers that a provider may sign, and that no valid token for Livery has. */
const wrong: Readonly<
  Record<
    string,
    readonly [claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>]
  >
> = {
  "another audience": [{ aud: "somebody-else" }],
  "no audience": [{ aud: undefined }],
  "an audience besides ours": [{ aud: [clientId, "somebody-else"] }],
  "an expiry that is past": [{ exp: seconds() - 60 }],
  "no expiry": [{ exp: undefined }],
  "an expiry that is no number": [{ exp: "never" }],
  "no time of issue": [{ iat: undefined }],
  "a time of issue that is to come": [{ iat: seconds() + 120 }],
  "a time before which it is nothing": [{ nbf: seconds() + 120 }],
  "an issuer that differs by a slash": [{ iss: "slash" }],
  "no issuer": [{ iss: undefined }],
  "no subject": [{ sub: undefined }],
  "an empty subject": [{ sub: "" }],
  "a subject that is a number": [{ sub: 7 }],
  "a subject beyond 255 characters": [{ sub: "s".repeat(256) }],
  "a subject with a line break": [{ sub: "a\nb" }],
  "the type of an access token": [{}, { typ: "at+jwt" }],
  "an unknown key id": [{}, { kid: "unknown" }]
}

describe("OpenIdProviders", () => {
  it.live("returns the content of a token that a trusted provider issued for this installation", () =>
    Effect.gen(function* () {
      const { provider, verify } = yield* trusting()
      const claims = { sub: "4711", email: "Zoe@Example.com", email_verified: true, name: "Zoë" }
      assert.deepStrictEqual(yield* verify(yield* provider.token(claims)), {
        issuer: provider.issuer,
        subject: "4711",
        email: "Zoe@Example.com",
        emailVerified: true,
        name: "Zoë"
      })
    })
  )

  it.live("accepts an email as verified only if the provider says so", () =>
    Effect.gen(function* () {
      const { provider, verify } = yield* trusting()
      for (const [flag, verified] of [
        [true, true],
        ["true", true],
        [false, false],
        ["false", false],
        [undefined, false],
        [1, false]
      ] as const) {
        const reported = yield* verify(
          yield* provider.token({ email: "a@example.com", email_verified: flag })
        )
        assert.strictEqual(reported.emailVerified, verified, String(flag))
      }
      assert.deepInclude(yield* verify(yield* provider.token()), {
        email: null,
        name: null,
        emailVerified: false
      })
    })
  )

  it.live("accepts a token for any configured audience, also for several of them", () =>
    Effect.gen(function* () {
      const { provider, verify } = yield* trusting()
      for (const aud of ["app-2", [clientId], [clientId, "app-2"]])
        assert.strictEqual((yield* verify(yield* provider.token({ aud }))).subject, "subject-1")
    })
  )

  it.live.each(Object.keys(wrong))("refuses a correctly signed token with %s", (title) =>
    Effect.gen(function* () {
      const { provider, refused } = yield* trusting()
      const [claims, header] = wrong[title] ?? [{}]
      const iss = claims["iss"] === "slash" ? { iss: `${provider.issuer}/` } : {}
      assert.strictEqual(yield* refused(yield* provider.token({ ...claims, ...iss }, header)), "Unauthorized")
    })
  )

  it.live("allows clocks to differ by less than 30 seconds", () =>
    Effect.gen(function* () {
      const { provider, refused, verify } = yield* trusting()
      const token = yield* provider.token({ exp: seconds() - 20, nbf: seconds() + 20 })
      assert.strictEqual((yield* verify(token)).subject, "subject-1")
      assert.strictEqual(yield* refused(yield* provider.token({ exp: seconds() - 31 })), "Unauthorized")
    })
  )

  it.live("refuses a token that was altered", () =>
    Effect.gen(function* () {
      const { provider, refused } = yield* trusting()
      const [header, , signature] = (yield* provider.token()).split(".")
      const other = encode({ ...goodClaims(provider), sub: "another" })
      assert.strictEqual(yield* refused(`${header}.${other}.${signature}`), "Unauthorized")
      const token = yield* provider.token()
      assert.strictEqual(yield* refused(token.slice(0, -8)), "Unauthorized")
      assert.strictEqual(yield* refused(`${token}A`), "Unauthorized")
    })
  )

  it.live("refuses a token without a signature, whatever algorithm it names", () =>
    Effect.gen(function* () {
      const { provider, refused } = yield* trusting()
      for (const alg of ["none", "None", "RS256"]) {
        const token = `${encode({ alg, typ: "JWT" })}.${encode(goodClaims(provider))}.`
        assert.strictEqual(yield* refused(token), "Unauthorized")
      }
    })
  )

  it.live("refuses a token that was signed with the provider's public key as a secret", () =>
    Effect.gen(function* () {
      const { provider, refused } = yield* trusting()
      const { e, kid, kty, n } = provider.key()
      const published = { kty: String(kty), n: String(n), e: String(e) }
      const pem = createPublicKey({ key: published, format: "jwk" }).export({ type: "spki", format: "pem" })
      for (const secret of [pem, JSON.stringify(published), String(n)]) {
        const signed = `${encode({ alg: "HS256", typ: "JWT", kid })}.${encode(goodClaims(provider))}`
        const signature = createHmac("sha256", secret).update(signed).digest("base64url")
        assert.strictEqual(yield* refused(`${signed}.${signature}`), "Unauthorized")
      }
    })
  )

  it.live("uses no key from a token, and fetches no address from it", () =>
    Effect.gen(function* () {
      const { provider, refused } = yield* trusting()
      const stranger = yield* identityProvider
      const { privateKey, publicKey } = generateKeyPairSync("ed25519")
      for (const header of [
        { jwk: publicKey.export({ format: "jwk" }) },
        { jku: `${stranger.issuer}/jwks` }
      ]) {
        const { exp, iat, ...claims } = goodClaims(provider)
        const token = yield* Effect.promise(() =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: "EdDSA", typ: "JWT", ...header })
            .setIssuedAt(iat)
            .setExpirationTime(exp)
            .sign(privateKey)
        )
        assert.strictEqual(yield* refused(token), "Unauthorized")
      }
      assert.isEmpty(stranger.asked)
    })
  )

  it.live("does not accept a provider's token for another issuer", () =>
    Effect.gen(function* () {
      const other = yield* identityProvider
      const { provider, refused, verify } = yield* trusting({}, [other.issuer])
      assert.strictEqual((yield* verify(yield* other.token())).issuer, other.issuer)
      assert.strictEqual(yield* refused(yield* other.token({ iss: provider.issuer })), "Unauthorized")
    })
  )

  it.live("refuses an issuer that is not configured, without fetching from it", () =>
    Effect.gen(function* () {
      const { provider, refused } = yield* trusting()
      const stranger = yield* identityProvider
      assert.strictEqual(yield* refused(yield* stranger.token()), "Unauthorized")
      for (const garbage of ["", "a.b.c", "..", "null", `${"A".repeat(40)}.e30.`])
        assert.strictEqual(yield* refused(garbage), "Unauthorized")
      assert.deepStrictEqual([stranger.asked, provider.asked], [[], []])
    })
  )

  it.live("is not available without a configured provider", () =>
    Effect.gen(function* () {
      const { provider, refused } = yield* trusting({ issuers: [] })
      assert.strictEqual(yield* refused(yield* provider.token()), "FeatureUnavailable")
    })
  )

  it.live.each(["ES256", "PS256", "EdDSA"])("accepts %s, and a rotated key", (algorithm) =>
    Effect.gen(function* () {
      const { provider, verify } = yield* trusting({ keyCooldown: 0 })
      const before = yield* provider.token()
      yield* verify(before)
      yield* provider.rotate(algorithm)
      assert.strictEqual((yield* verify(yield* provider.token())).subject, "subject-1")
      assert.strictEqual((yield* verify(before)).subject, "subject-1")
    })
  )

  it.live("fetches the keys once, for any number of concurrent tokens and of unknown key ids", () =>
    Effect.gen(function* () {
      const { provider, refused, verify } = yield* trusting()
      const token = yield* provider.token()
      yield* Effect.all(
        Array.from({ length: 20 }, () => verify(token)),
        { concurrency: "unbounded" }
      )
      for (let n = 0; n < 5; n++)
        assert.strictEqual(yield* refused(yield* provider.token({}, { kid: `guess-${n}` })), "Unauthorized")
      assert.deepStrictEqual(provider.asked, ["/.well-known/openid-configuration", "/jwks"])
    })
  )
})

/** Another configuration than the provider's own, with the same keys. */
const configuration =
  (change: (provider: string) => object): Answering =>
  ({ headers, url }, response, properly) => {
    const issuer = `http://${headers.host ?? ""}`
    if (url === "/jwks") properly()
    else response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks`, ...change(issuer) }))
  }

const onlyKeys =
  (failing: Answering): Answering =>
  (request, response, properly) => {
    if (request.url === "/jwks") failing(request, response, properly)
    else properly()
  }

const failing: Readonly<Record<string, Answering>> = {
  "an error": (_request, response) => void response.writeHead(503).end(),
  "a redirect": (request, response, properly) => {
    if (request.url === "/.well-known/openid-configuration")
      response.writeHead(302, { location: "/elsewhere" }).end()
    else configuration(() => ({}))(request, response, properly)
  },
  "no JSON": (_request, response) => void response.end("<html>"),
  "too much": configuration(() => ({ pad: "x".repeat(300_000) })),
  "nothing at all": () => undefined,
  "a hang-up": (request) => void request.socket.destroy(),
  "another issuer's configuration": configuration(() => ({ issuer: "https://example.com" })),
  "keys at an address that is not this machine's by name": configuration((issuer) => ({
    jwks_uri: `${issuer.replace("127.0.0.1", "0.0.0.0")}/jwks`
  })),
  "an error for its keys": onlyKeys((_request, response) => void response.writeHead(500).end()),
  "no keys": onlyKeys((_request, response) => void response.end(JSON.stringify({ keys: "none" }))),
  "nothing at all for its keys": onlyKeys(() => undefined)
}

describe("an unreachable provider", () => {
  it.live.each(Object.keys(failing))(
    "is a defect, not a wrong token: it responds with %s, and works again afterwards",
    (title) =>
      Effect.gen(function* () {
        const { fault, provider, verify } = yield* trusting({ timeout: "200 millis" })
        const token = yield* provider.token()
        provider.answerWith(failing[title])
        assert.deepStrictEqual(yield* fault(token), ["Unavailable"])
        provider.answerWith(undefined)
        // On a slow machine, also a proper answer may exceed the timeout.
        const identity = yield* Effect.retry(Effect.sandbox(verify(token)), { times: 20 })
        assert.strictEqual(identity.subject, "subject-1")
      })
  )

  it.live("does not affect other providers, nor tokens while its keys are cached", () =>
    Effect.gen(function* () {
      const { provider, verify } = yield* trusting({}, ["http://127.0.0.1:9"])
      const token = yield* provider.token()
      yield* verify(token)
      provider.answerWith(failing["an error"])
      assert.strictEqual((yield* verify(token)).subject, "subject-1")
    })
  )
})
