import { assert, describe, it } from "@effect/vitest"
import {
  AuditLog,
  type AuditEntry,
  type Business,
  Businesses,
  maxBusinessesPerUser,
  type BusinessId,
  BusinessRepository,
  Cryptography,
  type Currency,
  BusinessCreation,
  BusinessCreationInput,
  PlatformSettingRepository,
  PlatformSettings,
  SessionRepository,
  CredentialCache,
  UserRepository
} from "@livery/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { decoded, issuesOf } from "../support/Decoding.ts"
import { business, owned, user } from "../support/People.ts"
import { memoryTransactions } from "../support/MemoryTransactions.ts"

const setup = Effect.gen(function* () {
  const transaction = memoryTransactions()
  const calls: Array<string> = []
  const stored: Array<Business> = []
  const members: Array<readonly [number, number]> = []
  const audit: Array<AuditEntry> = []
  const forgotten: Array<number> = []
  const now = yield* DateTime.now
  const noting = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
    transaction.noting(calls, what, effect)
  const ports = Layer.mergeAll(
    transaction.layer,
    Cryptography.layerWebCrypto,
    Layer.mock(BusinessRepository)({
      insert: ({ email, name, planId, slug }) =>
        noting(
          "business",
          Effect.sync(() => {
            if (stored.some(({ vendor_slug }) => vendor_slug === slug)) return Option.none<BusinessId>()
            const business_id = (stored.length + 1) as BusinessId
            stored.push({
              business_id,
              business_name: name,
              business_email: email,
              vendor_slug: slug,
              status: "A",
              subscription_plan_id: planId,
              subscription_status: "active",
              email_credits: 0,
              currency: "USD" as Currency,
              timezone: "UTC",
              created_at: now,
              updated_at: now
            })
            return Option.some(business_id)
          })
        ),
      addMember: (businessId, userId) =>
        noting(
          "member",
          Effect.sync(() => void members.push([businessId, userId]))
        ),
      find: (businessId) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(stored.find(({ business_id }) => business_id === businessId))
        )
    }),
    Layer.succeed(
      AuditLog,
      AuditLog.of({
        record: (entry) =>
          noting(
            "audit",
            Effect.sync(() => void audit.push(entry))
          )
      })
    ),
    PlatformSettings.layer.pipe(
      Layer.provide(Layer.mock(PlatformSettingRepository)({ all: Effect.succeed([]) }))
    ),
    Layer.mock(UserRepository)({
      lock: (userId) => noting("lock", Effect.succeedSome({ user: user(userId).user, passwordHash: "hash" }))
    }),
    Layer.mock(SessionRepository)({
      businessesOf: () => Effect.sync(() => members.map(([businessId]) => business(businessId)))
    }),
    Layer.mock(CredentialCache)({
      cachedSession: () => undefined,
      cachedBusinessOfKey: () => undefined,
      invalidateSession: (sessionId) => Effect.sync(() => void forgotten.push(sessionId))
    })
  )
  const context = yield* Layer.build(
    BusinessCreation.layer.pipe(Layer.provide(Businesses.layer), Layer.provide(ports))
  )
  const create = (name: string, businesses = [owned(business(90))]) =>
    Effect.provide(
      BusinessCreation.use((it) =>
        it.create(
          { _tag: "User", ...user(5), businesses, drivers: [] },
          decoded(BusinessCreationInput, { business_name: name })
        )
      ),
      context
    )
  return { create, calls, members, audit, forgotten, transaction: transaction.state }
})

describe("creating a business", () => {
  it.effect("creates a business on the free plan, with the founder as its first member", () =>
    Effect.gen(function* () {
      const { create, members } = yield* setup
      assert.deepStrictEqual(yield* create(" Zoë's Limousines "), {
        business_id: 1,
        business_name: "Zoë's Limousines",
        business_email: "user5@example.com",
        vendor_slug: "zoe-s-limousines",
        status: "A",
        subscription_plan_id: 1,
        subscription_status: "active",
        email_credits: 0,
        currency: "USD",
        timezone: "UTC",
        created_at: "1970-01-01T00:00:00Z",
        updated_at: "1970-01-01T00:00:00Z"
      })
      assert.deepStrictEqual(members, [[1, 5]])
    })
  )

  it.effect("may be repeated, also with the same name", () =>
    Effect.gen(function* () {
      const { create, members } = yield* setup
      yield* create("Acme")
      const second = yield* create("Acme")
      assert.match(second.vendor_slug, /^acme-[0-9a-z]{6}$/u)
      assert.deepStrictEqual(members, [
        [1, 5],
        [2, 5]
      ])
    })
  )

  it.effect("is refused for a user with 20 businesses, and writes nothing", () =>
    Effect.gen(function* () {
      const { audit, create, members } = yield* setup
      for (let had = 0; had < maxBusinessesPerUser; had++) yield* create("Acme")
      assert.strictEqual((yield* Effect.flip(create("Acme")))._tag, "Conflict")
      assert.deepStrictEqual([members.length, audit.length], [maxBusinessesPerUser, maxBusinessesPerUser])
    })
  )

  it.effect("is one transaction with an audit entry, and the founder's session can use it at once", () =>
    Effect.gen(function* () {
      const { audit, calls, forgotten, create, transaction } = yield* setup
      yield* create("Acme")
      assert.deepStrictEqual(calls, ["lock inside", "business inside", "member inside", "audit inside"])
      assert.strictEqual(transaction.committed, 1)
      assert.deepInclude(audit[0], { actor: "user:5", action: "business.founded", businessId: 1 })
      assert.deepStrictEqual<unknown>(forgotten, [1005])
    })
  )

  it("needs a name of at most 200 characters", () => {
    assert.deepStrictEqual(issuesOf(BusinessCreationInput, {}), ["business_name required"])
    assert.deepStrictEqual(issuesOf(BusinessCreationInput, { business_name: " " }), [
      "business_name required"
    ])
    assert.deepStrictEqual(issuesOf(BusinessCreationInput, { business_name: "x".repeat(201) }), [
      "business_name too_long"
    ])
  })
})
