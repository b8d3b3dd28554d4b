import { assert, describe, it } from "@effect/vitest"
import {
  Cryptography,
  IdentityProviders,
  LinkedIdentityRepository,
  noPassword,
  type ProvidedIdentity,
  ProviderSignIn,
  ProviderReturnInput,
  ProviderSignInInput,
  Unauthorized,
  type User,
  type UserId
} from "@livery/domain"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { memoryAccounts } from "../support/MemoryAccounts.ts"
import { decoded, issuesOf } from "../support/Decoding.ts"
import { user } from "../support/People.ts"

const zoe: ProvidedIdentity = {
  issuer: "https://id.example",
  subject: "zoe-1",
  email: "Zoe@Example.com",
  emailVerified: true,
  name: "Zoë"
}

/** Reads an identity out of a token or a code, which are the identities themselves. */
const read = (text: Redacted.Redacted) =>
  Redacted.value(text) === "forged"
    ? Effect.fail(new Unauthorized())
    : Effect.sync(() => JSON.parse(Redacted.value(text)) as ProvidedIdentity)

/** A provider whose tokens are the identities themselves, and accounts with their links on the ports in memory. */
const signingIn = Effect.gen(function* () {
  const memory = memoryAccounts()
  /** How many of the next look-ups of a link read before a concurrent sign-in commits it. */
  const racing = { tooEarly: 0 }
  const Providers = Layer.succeed(
    IdentityProviders,
    IdentityProviders.of({
      offered: Effect.succeed([{ issuer: zoe.issuer, name: "Example" }]),
      verify: read,
      begin: () => Effect.succeed({ address: "https://id.example/authorize", secret: Redacted.make("mine") }),
      finish: ({ code, secret }) =>
        Redacted.value(secret) === "mine" ? read(code) : Effect.fail(new Unauthorized())
    })
  )
  const Links = Layer.effect(
    LinkedIdentityRepository,
    Effect.map(LinkedIdentityRepository, (identities) =>
      LinkedIdentityRepository.of({
        ...identities,
        userOf: (identity) =>
          Effect.suspend(() => {
            if (racing.tooEarly === 0) return identities.userOf(identity)
            racing.tooEarly -= 1
            return Effect.succeedNone
          })
      })
    )
  ).pipe(Layer.provide(memory.layer))
  const context = yield* Layer.build(
    ProviderSignIn.layer.pipe(
      Layer.provide(Layer.mergeAll(memory.layer, Providers, Links, Cryptography.layerWebCrypto))
    )
  )
  const withToken = (id_token: string) =>
    Effect.provide(
      ProviderSignIn.use((it) => it.signIn(decoded(ProviderSignInInput, { id_token, device_name: "Phone" }))),
      context
    )
  return {
    ...memory,
    racing,
    /** Links an account to the identity. */
    link: (userId: UserId) =>
      Effect.provide(
        Effect.flatMap(DateTime.now, (at) =>
          LinkedIdentityRepository.use((it) => it.link({ ...zoe, userId, at }))
        ),
        memory.layer
      ),
    withToken,
    /** Comes back from the provider with a code, in a browser that has a secret. */
    comeBack: (code: string, secret: string | undefined) =>
      Effect.provide(
        ProviderSignIn.use((it) =>
          it.finish(
            secret === undefined ? undefined : Redacted.make(secret),
            decoded(ProviderReturnInput, { code, state: "s", device_name: "Browser" })
          )
        ),
        context
      ),
    signIn: (change: Partial<ProvidedIdentity> = {}) => withToken(JSON.stringify({ ...zoe, ...change })),
    given: (change: Partial<User>) => {
      const id = (memory.stored.accounts.length + 1) as UserId
      memory.addAccount({
        passwordHash: "hash 0 of 13:e",
        user: { ...user(id).user, email: "zoe@example.com", ...change }
      })
      return id
    }
  }
})

describe("signing in with an identity provider", () => {
  it.effect("creates a verified account without a password, whose user must create a business", () =>
    Effect.gen(function* () {
      const { signIn, stored } = yield* signingIn
      const result = yield* signIn()
      assert.deepInclude(result, {
        access_token: "token:1:1",
        user: { id: 1, email: "zoe@example.com", account_type: "A" },
        businesses: [],
        needs_business_setup: true
      })
      assert.deepStrictEqual<unknown>(stored.accounts, [
        {
          passwordHash: noPassword,
          user: {
            user_id: 1,
            email: "zoe@example.com",
            name: "Zoë",
            mobile_phone: null,
            account_type: "A",
            email_verified: true
          }
        }
      ])
      assert.deepStrictEqual<unknown>(stored.links, [{ issuer: zoe.issuer, subject: zoe.subject, userId: 1 }])
      assert.strictEqual(stored.sessions[0]?.deviceName, "Phone")
    })
  )

  it.effect("uses the local part of the email for a person without a usable name", () =>
    Effect.gen(function* () {
      const { signIn, stored } = yield* signingIn
      const names = [null, "  ", "x".repeat(201), "a\u0000b"]
      for (const [index, name] of names.entries())
        yield* signIn({ subject: `s${index}`, email: `person${index}@example.com`, name })
      assert.deepStrictEqual(
        stored.accounts.map(({ user }) => user.name),
        ["person0", "person1", "person2", "person3"]
      )
    })
  )

  it.effect("finds the same account again, also after its email has changed at the provider", () =>
    Effect.gen(function* () {
      const { signIn, stored } = yield* signingIn
      yield* signIn()
      for (const email of ["zoe@example.com", "zoe@other.example"])
        assert.strictEqual((yield* signIn({ email })).user.email, "zoe@example.com")
      assert.lengthOf(stored.accounts, 1)
    })
  )

  it.effect("signs the same person in by a token and by a redirect", () =>
    Effect.gen(function* () {
      const { comeBack, signIn, stored } = yield* signingIn
      yield* signIn()
      const result = yield* comeBack(JSON.stringify(zoe), "mine")
      assert.deepInclude(result, { businesses: [], needs_business_setup: true })
      assert.strictEqual(result.user.email, "zoe@example.com")
      assert.lengthOf(stored.accounts, 1)
      assert.deepStrictEqual(
        stored.sessions.map(({ deviceName }) => deviceName),
        ["Phone", "Browser"]
      )
    })
  )

  it.effect(
    "refuses a return in a browser that did not begin, with a forged code, or an unverified email",
    () =>
      Effect.gen(function* () {
        const { comeBack, stored } = yield* signingIn
        const code = JSON.stringify(zoe)
        const cases = [
          [code, undefined, "Unauthorized"],
          [code, "theirs", "Unauthorized"],
          ["forged", "mine", "Unauthorized"],
          [JSON.stringify({ ...zoe, emailVerified: false }), "mine", "EmailUnverified"]
        ] as const
        for (const [sent, secret, reason] of cases)
          assert.strictEqual((yield* Effect.flip(comeBack(sent, secret)))._tag, reason)
        assert.isEmpty(stored.accounts)
        assert.isEmpty(stored.sessions)
        assert.deepStrictEqual(
          stored.audit.map(({ action }) => action),
          cases.map(() => "session.refused")
        )
      })
  )

  it.effect("does not ask for a business if there is one, and never asks a driver", () =>
    Effect.gen(function* () {
      const { addMember, given, signIn } = yield* signingIn
      yield* signIn()
      addMember(7, 1)
      assert.deepInclude(yield* signIn(), {
        needs_business_setup: false,
        businesses: [{ business_id: 7, business_name: "Business 7" }]
      })
      given({ email: "dan@example.com", account_type: "D" })
      const driver = yield* signIn({ subject: "dan", email: "dan@example.com" })
      assert.deepInclude(driver, { needs_business_setup: false, businesses: [] })
      assert.strictEqual(driver.user.account_type, "D")
    })
  )

  it.effect("links an account that has verified the same email, and leaves its password alone", () =>
    Effect.gen(function* () {
      const { given, signIn, stored } = yield* signingIn
      const id = given({})
      assert.strictEqual((yield* signIn()).user.id, id)
      assert.strictEqual(stored.accounts[0]?.passwordHash, "hash 0 of 13:e")
      assert.lengthOf(stored.links, 1)
    })
  )

  it.effect("verifies an account with an unverified email, and removes its password", () =>
    Effect.gen(function* () {
      const { given, signIn, stored } = yield* signingIn
      const id = given({ email_verified: false })
      assert.strictEqual((yield* signIn()).user.id, id)
      assert.isTrue(stored.accounts[0]?.user.email_verified)
      assert.strictEqual(stored.accounts[0]?.passwordHash, noPassword)
    })
  )

  it.effect("refuses an email that the provider has not verified, also for a linked account", () =>
    Effect.gen(function* () {
      const { given, signIn, stored } = yield* signingIn
      given({})
      yield* signIn({ subject: "linked", issuer: "https://other.example" })
      const changes = [{ emailVerified: false }, { email: null }, { email: "" }, { email: "not an address" }]
      for (const change of changes)
        for (const identity of [{}, { subject: "linked", issuer: "https://other.example" }])
          assert.strictEqual(
            (yield* Effect.flip(signIn({ ...identity, ...change })))._tag,
            "Unauthorized",
            JSON.stringify(change)
          )
      assert.lengthOf(stored.sessions, 1)
      assert.lengthOf(stored.accounts, 1)
    })
  )

  it.effect("does not give an account that is linked to one identity of an issuer to another one", () =>
    Effect.gen(function* () {
      const { signIn, stored } = yield* signingIn
      yield* signIn()
      assert.strictEqual(
        (yield* Effect.flip(signIn({ subject: "who-got-the-address" })))._tag,
        "Unauthorized"
      )
      assert.strictEqual((yield* signIn({ issuer: "https://other.example", subject: "zoe-2" })).user.id, 1)
      assert.lengthOf(stored.links, 2)
      assert.lengthOf(stored.accounts, 1)
    })
  )

  it.effect("finds the account that a concurrent sign-in has created", () =>
    Effect.gen(function* () {
      const { given, link, racing, signIn, stored } = yield* signingIn
      const rival = given({ email: "rival@example.com" })
      yield* link(rival)
      racing.tooEarly = 1
      const result = yield* signIn()
      assert.strictEqual(result.user.id, rival)
      assert.strictEqual(racing.tooEarly, 0)
      assert.lengthOf(stored.accounts, 1)
      assert.lengthOf(stored.links, 1)
      assert.lengthOf(stored.sessions, 1)
    })
  )

  it.effect("writes account, link and session in one transaction", () =>
    Effect.gen(function* () {
      const { calls, signIn, transaction } = yield* signingIn
      yield* signIn()
      assert.isEmpty(calls.filter((call) => call.endsWith("outside")))
      assert.strictEqual(transaction.committed, 1)
    })
  )

  it.effect("writes every sign-in and every refusal to the audit log, without tokens", () =>
    Effect.gen(function* () {
      const { signIn, stored, withToken } = yield* signingIn
      const { access_token, refresh_token } = yield* signIn()
      yield* Effect.flip(withToken("forged"))
      yield* Effect.flip(signIn({ subject: "another", emailVerified: false }))
      assert.deepStrictEqual(
        stored.audit.map(({ action, subject }) => [action, subject]),
        [
          ["user.created", "user:1"],
          ["identity.linked", "user:1"],
          ["session.opened", "user:1"],
          ["session.refused", "identity:unknown"],
          ["session.refused", "identity:another"]
        ]
      )
      const kept = JSON.stringify(stored)
      for (const secret of [access_token, refresh_token, "forged"]) assert.notInclude(kept, secret)
    })
  )

  it.effect("ends all sessions that the removed password opened, if it verifies an account", () =>
    Effect.gen(function* () {
      const { addCode, given, signIn, stored } = yield* signingIn
      const userId = given({ email_verified: false })
      const expiresAt = DateTime.addDuration(yield* DateTime.now, "1 hour")
      for (const purpose of ["reset_password", "verify_email"] as const)
        addCode({ codeHash: purpose, userId, purpose, expiresAt })
      yield* signIn()
      assert.deepStrictEqual(
        stored.codes.map(({ purpose }) => purpose),
        ["verify_email"]
      )
      assert.deepStrictEqual(
        stored.audit.map(({ action }) => action),
        ["user.email_verified", "password.removed", "identity.linked", "session.opened"]
      )
    })
  )
})

describe("ProviderSignInInput", () => {
  it("needs a token of at most 16 KiB", () => {
    assert.deepStrictEqual(issuesOf(ProviderSignInInput, {}), ["id_token required"])
    assert.deepStrictEqual(issuesOf(ProviderSignInInput, { id_token: " " }), ["id_token required"])
    assert.deepStrictEqual(issuesOf(ProviderSignInInput, { id_token: 7 }), ["id_token invalid"])
    assert.deepStrictEqual(issuesOf(ProviderSignInInput, { id_token: "x".repeat(16_385) }), [
      "id_token too_long"
    ])
    assert.deepStrictEqual(issuesOf(ProviderSignInInput, { id_token: "x".repeat(16_384) }), [])
  })

  it("drops spaces and line breaks around a token", () => {
    const { id_token } = decoded(ProviderSignInInput, { id_token: " a.b.c\n" })
    assert.strictEqual(Redacted.value(id_token), "a.b.c")
    assert.deepStrictEqual(issuesOf(ProviderSignInInput, { id_token: "a\u0000" }), ["id_token invalid"])
  })
})
