import {
  AccessTokens,
  AddressPolicy,
  Businesses,
  Cars,
  Demonstration,
  DriverChanges,
  DriverId,
  Drivers,
  FileRecognition,
  FileStore,
  fleetPlanId,
  IdentityProviders,
  InvoiceRenderer,
  OutgoingRequests,
  PasswordHasher,
  PaymentProvider,
  SecretBox,
  TooManyRequests,
  TripList,
  UseCases,
  XmlReader
} from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Memory } from "@livery/memory"
import { Cause, Effect, Exit, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { business } from "../support/People.ts"

const decodeChanges = Schema.decodeUnknownSync(DriverChanges)

/** The use cases on the ports in memory. `hash` is the hasher's. */
const livery = (hash: PasswordHasher["Service"]["hash"]) =>
  UseCases.pipe(
    Layer.provide([
      Layer.mock(AccessTokens)({}),
      Layer.mock(AddressPolicy)({ allows: () => false }),
      Layer.mock(FileRecognition)({}),
      Layer.mock(FileStore)({}),
      Layer.mock(IdentityProviders)({}),
      Layer.mock(OutgoingRequests)({}),
      Layer.mock(InvoiceRenderer)({}),
      Layer.mock(PasswordHasher)({ hash }),
      Layer.mock(PaymentProvider)({}),
      Layer.mock(SecretBox)({}),
      Layer.mock(XmlReader)({})
    ]),
    Layer.provide(Memory.layer)
  )

describe("the demonstration business", () => {
  it.effect("has cars with a class and seats", () =>
    Effect.gen(function* () {
      // The test's clock starts at 1970-01-01T00:00Z, before the first local time that every time zone accepts.
      yield* TestClock.setTime(Date.parse("1970-01-03T09:30:00Z"))
      const { added, businessId } = yield* Demonstration.use(({ day }) => day)
      assert.deepStrictEqual(added, { cars: 2, drivers: 2, trips: 8 })
      const { items } = yield* Cars.use((cars) =>
        cars.list(business(businessId), {}, { page: 1, perPage: 25 })
      )
      assert.deepStrictEqual(
        items.map(({ name, seats, vehicle_class }) => [name, vehicle_class, seats]),
        [
          ["Mercedes-Benz S-Class", "sedan", 3],
          ["Mercedes-Benz V-Class", "van", 7]
        ]
      )
    }).pipe(Effect.provide(livery(() => Effect.succeed("hash"))))
  )

  it.effect("is on the plan fleet, which has room for a third driver and a third car", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("1970-01-03T09:30:00Z"))
      const { businessId } = yield* Demonstration.use(({ day }) => day)
      const record = yield* Businesses.use(({ read }) => read(business(businessId)))
      assert.strictEqual(record.subscription_plan_id, fleetPlanId)
    }).pipe(Effect.provide(livery(() => Effect.succeed("hash"))))
  )

  it.effect("gives today's trips to active drivers only", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("1970-01-03T09:30:00Z"))
      const { businessId } = yield* Demonstration.use(({ day }) => day)
      const acting = business(businessId)
      const { items } = yield* Drivers.use((drivers) => drivers.list(acting, {}, { page: 1, perPage: 25 }))
      const [first, second] = items.map(({ driver_id }) => DriverId.make(driver_id))
      assert.isDefined(first)
      assert.isDefined(second)
      yield* Drivers.use(({ update }) => update(acting, first, decodeChanges({ active: false, force: true })))
      yield* TestClock.adjust("1 day")
      const { added } = yield* Demonstration.use(({ day }) => day)
      assert.deepStrictEqual(added, { cars: 0, drivers: 0, trips: 8 })
      const { items: today } = yield* TripList.use(({ page }) =>
        page(acting, { date_from: "1970-01-04", date_to: "1970-01-04" })
      )
      assert.deepStrictEqual([...new Set(today.flatMap(({ driver_ids }) => driver_ids))], [second])
    }).pipe(Effect.provide(livery(() => Effect.succeed("hash"))))
  )

  it.effect("is not created if the hasher is busy, which is not taken for a database with users", () =>
    Effect.gen(function* () {
      const refusal = new TooManyRequests({ retryAfterSeconds: 1 })
      const exit = yield* Effect.exit(
        Effect.provide(
          Demonstration.use(({ prepare }) => prepare),
          livery(() => Effect.fail(refusal))
        )
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === refusal)
    })
  )
})
