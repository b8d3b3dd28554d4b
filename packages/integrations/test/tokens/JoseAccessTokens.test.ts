import { createHmac, generateKeyPairSync } from "node:crypto"
import { AccessTokens, accessTokenSeconds, SessionId, UserId } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { JoseAccessTokens, SecretKeys } from "@livery/integrations"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SignJWT } from "jose"

const issuer = "https://api.example.com"
const audience = "https://api.example.com/api/v1"
const keys = SecretKeys.layer(Redacted.make("a secret of at least 32 characters")).pipe(Layer.orDie)
const tokens = JoseAccessTokens.layer({ issuer, audience }).pipe(Layer.provideMerge(keys))

const claims = { userId: UserId.make(7), sessionId: SessionId.make(42) }
const now = 1_800_000_000

interface Parts {
  readonly header?: Readonly<Record<string, unknown>>
  readonly payload?: Readonly<Record<string, unknown>>
}

/** The claims of a token that was issued {@link now}. */
const verified = { ...claims, expiresAt: now + accessTokenSeconds }

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url")

/** A token signed with the installation's own key, good but for what is given. */
const forge = ({ header, payload }: Parts) =>
  Effect.map(SecretKeys, (keys) => {
    const signed = [
      encode({ alg: "HS256", typ: "at+jwt", ...header }),
      encode({
        sub: "7",
        sid: "42",
        iat: now,
        exp: now + accessTokenSeconds,
        iss: issuer,
        aud: audience,
        ...payload
      })
    ].join(".")
    return `${signed}.${createHmac("sha256", keys.current.tokens).update(signed).digest("base64url")}`
  })

const verify = (token: string) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now * 1000)
    return yield* (yield* AccessTokens).verify(Redacted.make(token))
  })

const refused = (token: string) => Effect.map(Effect.flip(verify(token)), (error) => error._tag)

const wrong: Readonly<Record<string, Parts>> = {
  "another type: an identity token": { header: { typ: "JWT" } },
  "another type: a refresh token": { header: { typ: "rt+jwt" } },
  "no type": { header: { typ: undefined } },
  "a key's name": { header: { kid: "somebody-elses" } },
  "a key of its own": { header: { jwk: { kty: "oct", k: "AAAA" }, kid: "1" } },
  "a critical extension": { header: { crit: ["exotic"], exotic: true } },
  "another algorithm's name": { header: { alg: "HS512" } },
  "another issuer": { payload: { iss: "https://evil.example.com" } },
  "no issuer": { payload: { iss: undefined } },
  "another audience": { payload: { aud: "https://api.example.com" } },
  "no audience": { payload: { aud: undefined } },
  "an expiry that has come": { payload: { exp: now } },
  "an expiry long past": { payload: { iat: now - 3600, exp: now - 2700 } },
  "no expiry": { payload: { exp: undefined } },
  "an expiry that is no number": { payload: { exp: "never" } },
  "no time of issue": { payload: { iat: undefined } },
  "a time before which it is nothing": { payload: { nbf: now + 60 } },
  "no session": { payload: { sid: undefined } },
  "a session that is no integer": { payload: { sid: "4.2" } },
  "a session that is null": { payload: { sid: null } },
  "no user": { payload: { sub: undefined } },
  "a user that is no integer": { payload: { sub: "7.5" } },
  "a user that is a name": { payload: { sub: "admin" } },
  "a user that is zero": { payload: { sub: "0" } },
  "a user that is negative": { payload: { sub: "-7" } },
  "a user in hexadecimal": { payload: { sub: "0x7" } },
  "a user beyond the integers": { payload: { sub: "9007199254740993" } },
  "a user that is a number": { payload: { sub: 7 } }
}

layer(tokens)("JoseAccessTokens", (it) => {
  it.effect("a token has one spelling: with other characters for the same signature it is refused", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000)
      const token = Redacted.value(yield* (yield* AccessTokens).issue(claims))
      assert.deepStrictEqual(yield* verify(token), verified)
      // The last of 43 characters has two bits that no byte of the signature uses.
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      const last = alphabet[alphabet.indexOf(token.at(-1) ?? "A") ^ 1] ?? ""
      for (const other of [`${token}=`, `${token}==`, `${token} `, `${token}.`, token.slice(0, -1) + last])
        assert.strictEqual(yield* refused(other), "Unauthorized", other)
    })
  )

  it.effect("verifies an issued token until the 900th second", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000)
      const { issue, verify } = yield* AccessTokens
      const token = yield* issue(claims)
      assert.deepStrictEqual(yield* verify(token), verified)
      yield* TestClock.setTime((now + 900) * 1000 - 1)
      assert.deepStrictEqual(yield* verify(token), verified)
      yield* TestClock.setTime((now + 900) * 1000)
      assert.strictEqual((yield* Effect.flip(verify(token)))._tag, "Unauthorized")
    })
  )

  it.effect("issues an access token with exactly the documented claims", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000 + 999)
      const token = Redacted.value(yield* (yield* AccessTokens).issue(claims))
      const [header, payload] = token
        .split(".")
        .slice(0, 2)
        .map((part): unknown => JSON.parse(Buffer.from(part, "base64url").toString()))
      assert.deepStrictEqual(header, { alg: "HS256", typ: "at+jwt" })
      assert.deepStrictEqual(payload, {
        sub: "7",
        sid: "42",
        iat: now,
        exp: now + 900,
        iss: issuer,
        aud: audience
      })
    })
  )

  it.effect("does not print a token", () =>
    Effect.gen(function* () {
      assert.strictEqual(JSON.stringify(yield* (yield* AccessTokens).issue(claims)), '"<redacted>"')
    })
  )

  it.effect("accepts the unaltered token that the refused ones are derived from", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* verify(yield* forge({})), verified)
    })
  )

  it.effect.each(Object.keys(wrong))("refuses a correctly signed token with %s", (title) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refused(yield* forge(wrong[title] ?? {})), "Unauthorized")
    })
  )

  it.effect("refuses a token without a signature, whatever algorithm it names", () =>
    Effect.gen(function* () {
      for (const alg of ["none", "None", "NONE", "HS256"]) {
        const [, payload] = (yield* forge({})).split(".")
        assert.strictEqual(
          yield* refused(`${encode({ alg, typ: "at+jwt" })}.${payload ?? ""}.`),
          "Unauthorized"
        )
      }
    })
  )

  it.effect("refuses a token of another installation's key, or of another algorithm and key", () =>
    Effect.gen(function* () {
      const claimed = (alg: string) =>
        new SignJWT({ sid: "42" })
          .setProtectedHeader({ alg, typ: "at+jwt" })
          .setSubject("7")
          .setIssuer(issuer)
          .setAudience(audience)
          .setIssuedAt(now)
          .setExpirationTime(now + 900)
      const other = new TextEncoder().encode("another secret of 32 characters!")
      const { privateKey } = generateKeyPairSync("ed25519")
      const { sealing, tokens: own } = (yield* SecretKeys).current
      const strangers = [() => claimed("HS256").sign(other), () => claimed("EdDSA").sign(privateKey)]
      for (const stranger of strangers) {
        assert.strictEqual(yield* refused(yield* Effect.promise(stranger)), "Unauthorized")
      }
      assert.isFalse(own.equals(sealing))
      const confused = yield* Effect.promise(() => claimed("HS256").sign(sealing))
      assert.strictEqual(yield* refused(confused), "Unauthorized")
    })
  )

  it.effect("accepts a token of the previous secret, and of no third one", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000)
      const [first, second, third] = ["first", "second", "third"].map((name) =>
        Redacted.make(name.padEnd(32, "!"))
      )
      const within = <A, E>(
        use: (tokens: AccessTokens["Service"]) => Effect.Effect<A, E>,
        secret = Redacted.make(""),
        previous?: Redacted.Redacted
      ) =>
        AccessTokens.use(use).pipe(
          Effect.provide(
            JoseAccessTokens.layer({ issuer, audience }).pipe(
              Layer.provide(SecretKeys.layer(secret, previous).pipe(Layer.orDie)),
              Layer.fresh
            )
          )
        )
      const token = yield* within(({ issue }) => issue(claims), first)
      assert.deepStrictEqual(yield* within(({ verify }) => verify(token), second, first), verified)
      const anew = yield* within(({ issue }) => issue(claims), second, first)
      for (const [old, secret, previous] of [
        [token, third, second],
        [anew, first, third]
      ] as const) {
        const error = yield* Effect.flip(within(({ verify }) => verify(old), secret, previous))
        assert.strictEqual(error._tag, "Unauthorized")
      }
    })
  )

  it.effect("refuses a token with one changed character", () =>
    Effect.gen(function* () {
      const token = yield* forge({})
      for (let at = 0; at < token.length - 1; at++) {
        const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)
        assert.strictEqual(yield* refused(changed), "Unauthorized", `at ${at}`)
      }
    })
  )

  it.effect("refuses any other text", () =>
    Effect.gen(function* () {
      const garbage = [
        "",
        ".",
        "..",
        "a.b.c",
        "....",
        "lvk_abc",
        "\u0000",
        "é.é.é",
        "null",
        "{}",
        `${"A".repeat(40)}.e30.`
      ]
      for (const token of garbage) assert.strictEqual(yield* refused(token), "Unauthorized")
    })
  )

  it.effect("refuses a token of a megabyte, even one that it signed itself", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refused("A".repeat(2 ** 20)), "Unauthorized")
      assert.strictEqual(
        yield* refused(yield* forge({ payload: { pad: "x".repeat(2 ** 20) } })),
        "Unauthorized"
      )
    })
  )
})
