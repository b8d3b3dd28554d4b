import { assert, describe, it } from "@effect/vitest"
import {
  Businesses,
  maxBusinessesPerUser,
  BusinessRepository,
  BusinessCreation,
  BusinessCreationInput,
  PlatformSettings,
  CredentialCache,
  UserRepository
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { Effect, Layer } from "effect"
import { stamps } from "../support/Businesses.ts"
import { decoded, issuesOf } from "../support/Decoding.ts"
import { observed } from "../support/Observed.ts"
import { business, owned, user } from "../support/People.ts"

/** User 5, on the ports in memory. */
const setup = Effect.gen(function* () {
  const store = Store.make()
  const founder = user(5)
  store.users.set(founder.user.user_id, { ...founder.user, ...stamps, passwordHash: "hash" })
  const { AuditLogs, calls, observing, state, Transactions } = observed()
  const forgotten: Array<number> = []
  const ports = Layer.mergeAll(
    Transactions,
    AuditLogs,
    Layer.effect(
      BusinessRepository,
      Effect.map(BusinessRepository, (businesses) =>
        BusinessRepository.of({
          ...businesses,
          insert: (given) => observing("business", businesses.insert(given)),
          addMember: (...member) => observing("member", businesses.addMember(...member))
        })
      )
    ),
    Layer.effect(
      UserRepository,
      Effect.map(UserRepository, (users) =>
        UserRepository.of({ ...users, lock: (userId) => observing("lock", users.lock(userId)) })
      )
    ),
    // Without its refresh every few seconds.
    Layer.effect(PlatformSettings, PlatformSettings.make),
    Layer.mock(CredentialCache)({
      cachedSession: () => undefined,
      cachedBusinessOfKey: () => undefined,
      invalidateSession: (sessionId) => Effect.sync(() => void forgotten.push(sessionId))
    })
  ).pipe(Layer.provideMerge(Memory.layerOn(Layer.succeed(Store, store))))
  const context = yield* Layer.build(
    BusinessCreation.layer.pipe(Layer.provide(Businesses.layer), Layer.provide(ports))
  )
  const create = (name: string, businesses = [owned(business(90))]) =>
    Effect.provide(
      BusinessCreation.use((it) =>
        it.create(
          { _tag: "User", ...founder, businesses },
          decoded(BusinessCreationInput, { business_name: name })
        )
      ),
      context
    )
  return {
    create,
    calls,
    members: () => store.members.where().map(({ business_id, user_id }) => [business_id, user_id]),
    audit: () => store.audit.where(),
    forgotten,
    transaction: state
  }
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
      assert.deepStrictEqual<unknown>(members(), [[1, 5]])
    })
  )

  it.effect("may be repeated, also with the same name", () =>
    Effect.gen(function* () {
      const { create, members } = yield* setup
      yield* create("Acme")
      const second = yield* create("Acme")
      assert.match(second.vendor_slug, /^acme-[0-9a-z]{6}$/u)
      assert.deepStrictEqual<unknown>(members(), [
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
      assert.deepStrictEqual([members().length, audit().length], [maxBusinessesPerUser, maxBusinessesPerUser])
    })
  )

  it.effect("is one transaction with an audit entry, and the founder's session can use it at once", () =>
    Effect.gen(function* () {
      const { audit, calls, forgotten, create, transaction } = yield* setup
      yield* create("Acme")
      assert.deepStrictEqual(calls, ["lock inside", "business inside", "member inside", "audit inside"])
      assert.strictEqual(transaction.committed, 1)
      assert.deepInclude(audit()[0], { actor: "user:5", action: "business.founded", businessId: 1 })
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
