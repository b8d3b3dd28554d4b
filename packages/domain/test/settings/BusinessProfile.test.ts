import { assert, describe, it } from "@effect/vitest"
import {
  BusinessProfiles,
  BusinessId,
  Conflict,
  CurrentActor,
  type Precondition,
  BusinessProfileChanges,
  type BusinessProfileRecord,
  BusinessProfileRepository,
  CredentialCache
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { addBusiness } from "../support/Businesses.ts"
import { decoded, issuesOf } from "../support/Decoding.ts"
import { business } from "../support/People.ts"
import { observed } from "../support/Observed.ts"

const founded = DateTime.makeUnsafe("2026-01-01T00:00:00Z")

/** Business 1, and another one with the slug `taken`. */
const businessProfiles = Effect.gen(function* () {
  const store = Store.make()
  for (const id of [1, 3]) addBusiness(store, id)
  store.businesses.change(BusinessId.make(1), {
    business_name: "Acme",
    address: "Here",
    vendor_slug: "acme",
    created_at: founded,
    updated_at: founded
  })
  store.businesses.change(BusinessId.make(3), { vendor_slug: "taken" })
  const { audit, AuditLogs, calls, observing, Transactions } = observed()
  const ports = Layer.mergeAll(
    Transactions,
    AuditLogs,
    Layer.effect(
      BusinessProfileRepository,
      Effect.map(BusinessProfileRepository, (profiles) =>
        BusinessProfileRepository.of({
          ...profiles,
          lock: (...business) => observing("lock", profiles.lock(...business)),
          update: (...change) => observing("update", profiles.update(...change))
        })
      )
    ),
    Layer.mock(CredentialCache)({
      cachedSession: () => undefined,
      cachedBusinessOfKey: () => undefined,
      invalidateAll: observing("invalidateAll", Effect.void)
    })
  ).pipe(Layer.provide(Memory.layerOn(Layer.succeed(Store, store))))
  const context = yield* Layer.build(BusinessProfiles.layer.pipe(Layer.provide(ports)))
  const update = (
    changes: object,
    precondition?: Precondition<BusinessProfileRecord>,
    acting = business(1)
  ) =>
    Effect.provide(
      BusinessProfiles.use((it) => it.update(acting, decoded(BusinessProfileChanges, changes), precondition)),
      context
    )
  const read = (id = 1) =>
    Effect.provide(
      BusinessProfiles.use((it) => it.read(business(id))),
      context
    )
  return { audit, calls, read, update }
})

describe("the settings of a business", () => {
  it.effect("change in the given fields; null clears", () =>
    Effect.gen(function* () {
      const { read, update } = yield* businessProfiles
      yield* TestClock.setTime(Date.parse("2026-11-20T12:00:00Z"))
      const record = yield* update({
        phone: " +41 ",
        address: null,
        timezone: "Europe/Zurich",
        currency: "chf"
      })
      const expected: object = {
        business_name: "Acme",
        phone: "+41",
        address: null,
        timezone: "Europe/Zurich",
        currency: "CHF",
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-11-20T12:00:00Z"
      }
      assert.deepInclude<object>(record, expected)
      assert.deepStrictEqual(yield* read(), record)
    })
  )

  it.effect("are audited in the transaction of the change, and used at once", () =>
    Effect.gen(function* () {
      const { audit, calls, update } = yield* businessProfiles
      yield* Effect.provideService(
        update({ timezone: "Europe/Zurich", business_name: "Acme", address: null }),
        CurrentActor,
        "user:7"
      )
      assert.deepStrictEqual(audit, [
        {
          actor: "user:7",
          action: "business.settings_changed",
          subject: "business:1",
          businessId: 1,
          before: { address: "Here", timezone: "UTC" },
          after: { address: null, timezone: "Europe/Zurich" }
        }
      ])
      assert.deepStrictEqual(calls, ["lock inside", "update inside", "audit inside", "invalidateAll outside"])
    })
  )

  it.effect("that are unchanged are neither written nor audited", () =>
    Effect.gen(function* () {
      const { calls, update } = yield* businessProfiles
      assert.strictEqual((yield* update({ timezone: "UTC", phone: "" })).updated_at, "2026-01-01T00:00:00Z")
      assert.deepStrictEqual(calls, ["lock inside"])
    })
  )

  it.effect("are not written if the precondition fails or the slug is taken", () =>
    Effect.gen(function* () {
      const { audit, calls, read, update } = yield* businessProfiles
      const stale = yield* Effect.flip(
        update({ phone: "1" }, () => Effect.fail(new Conflict({ reason: "stale" })))
      )
      assert.strictEqual(stale.message, "stale")
      assert.deepStrictEqual(calls, ["lock inside"])
      assert.strictEqual((yield* Effect.flip(update({ vendor_slug: "taken" })))._tag, "Conflict")
      assert.isEmpty(audit)
      assert.strictEqual((yield* read()).vendor_slug, "acme")
    })
  )

  it.effect("of an absent business are NotFound", () =>
    Effect.gen(function* () {
      const { read, update } = yield* businessProfiles
      assert.strictEqual((yield* Effect.flip(read(2)))._tag, "NotFound")
      const refusal = yield* Effect.flip(update({ phone: "1" }, undefined, business(2)))
      assert.strictEqual(refusal._tag, "NotFound")
    })
  )
})

describe("BusinessProfileChanges", () => {
  it("every wrong field is named at once", () => {
    assert.deepStrictEqual(
      issuesOf(BusinessProfileChanges, {
        business_name: " ",
        business_email: "nobody",
        phone: "1".repeat(41),
        website_url: "ftp://example.com",
        logo_url: "javascript:alert(1)",
        vendor_slug: "Two  Words",
        timezone: "Mars/Olympus",
        currency: "XXX",
        clash_policy: "strict",
        booking_confirmation_required: "yes"
      }),
      [
        "business_name required",
        "business_email invalid",
        "phone too_long",
        "website_url invalid",
        "logo_url invalid",
        "vendor_slug invalid",
        "timezone unknown_value",
        "currency unknown_value",
        "clash_policy unknown_value",
        "booking_confirmation_required invalid"
      ]
    )
  })

  it("a field that may not be empty cannot be cleared", () => {
    const required = [
      "business_name",
      "business_email",
      "vendor_slug",
      "timezone",
      "currency",
      "clash_policy"
    ]
    for (const field of required)
      assert.deepStrictEqual(issuesOf(BusinessProfileChanges, { [field]: null }), [`${field} required`])
  })

  it("spaces around a text are dropped", () => {
    assert.deepStrictEqual<object>(
      decoded(BusinessProfileChanges, {
        business_name: " Acme\n",
        business_email: "\tops@example.com ",
        phone: " +41 ",
        address: " Here ",
        website_url: " https://example.com ",
        logo_url: " https://example.com/logo.png ",
        vendor_slug: " acme-x ",
        timezone: " Europe/Paris ",
        currency: " chf ",
        clash_policy: " enforce "
      }),
      {
        business_name: "Acme",
        business_email: "ops@example.com",
        phone: "+41",
        address: "Here",
        website_url: "https://example.com",
        logo_url: "https://example.com/logo.png",
        vendor_slug: "acme-x",
        timezone: "Europe/Paris",
        currency: "CHF",
        clash_policy: "enforce"
      }
    )
    assert.deepStrictEqual(issuesOf(BusinessProfileChanges, { vendor_slug: " " }), ["vendor_slug required"])
    assert.deepStrictEqual(issuesOf(BusinessProfileChanges, { timezone: " " }), ["timezone unknown_value"])
  })

  it.each([
    ["europe/paris", "Europe/Paris"],
    ["EUROPE/ZURICH", "Europe/Zurich"],
    ["utc", "UTC"],
    ["america/argentina/san_juan", "America/Argentina/San_Juan"],
    ["america/port-au-prince", "America/Port-au-Prince"]
  ])("the clock %s is kept as %s", (typed, kept) => {
    assert.strictEqual(decoded(BusinessProfileChanges, { timezone: typed }).timezone, kept)
  })

  it("a time zone in its canonical spelling is kept, also under an older name", () => {
    for (const timezone of ["Asia/Calcutta", "Asia/Kolkata", "Europe/Kiev", "Europe/Kyiv", "UTC", "GMT"])
      assert.strictEqual(decoded(BusinessProfileChanges, { timezone }).timezone, timezone)
  })

  it("at least one field is required", () => {
    assert.deepStrictEqual(issuesOf(BusinessProfileChanges, { status: "D", business_id: 2 }), [" required"])
  })

  it.each(["a", "zoe-s-limousines", "24-7", "x".repeat(60)])("%s is a slug", (slug) => {
    assert.deepStrictEqual(issuesOf(BusinessProfileChanges, { vendor_slug: slug }), [])
  })

  it.each(["", "-a", "a-", "a--b", "ä", "A", "a b", "x".repeat(61), "../x"])("%s is not a slug", (slug) => {
    assert.lengthOf(issuesOf(BusinessProfileChanges, { vendor_slug: slug }), 1)
  })
})
