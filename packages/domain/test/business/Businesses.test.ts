import { assert, describe, it } from "@effect/vitest"
import { AccountSuspended, Businesses, BusinessId, NotFound, PlatformSettings } from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { Effect, Layer } from "effect"
import { addBusiness } from "../support/Businesses.ts"

const provided = Effect.provide(
  Businesses.layer.pipe(Layer.provide(PlatformSettings.layer), Layer.provideMerge(Memory.layer))
)

describe("acting for a business by its id", () => {
  it.effect("uses its own currency and time zone", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const id = BusinessId.make(7)
      addBusiness(store, 7)
      store.businesses.change(id, { timezone: "Europe/Zurich" })
      assert.deepStrictEqual<unknown>(yield* (yield* Businesses).acting(id), {
        business_id: 7,
        business_name: "Business 7",
        status: "A",
        currency: "USD",
        timezone: "Europe/Zurich"
      })
    }).pipe(provided)
  )

  it.effect("fails if the business is absent or suspended", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { acting } = yield* Businesses
      const id = BusinessId.make(7)
      assert.deepStrictEqual(yield* Effect.flip(acting(id)), new NotFound({ resource: "business" }))
      addBusiness(store, 7)
      store.businesses.change(id, { status: "D" })
      assert.deepStrictEqual(yield* Effect.flip(acting(id)), new AccountSuspended())
      store.businesses.change(id, { status: "A" })
      assert.strictEqual((yield* acting(id)).business_id, id)
    }).pipe(provided)
  )
})
