/** The contract of `DriverTokenRepository`. */
import { DriverTokenRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { assign, changeTrip, newBusiness, newDriver, newTrip, now, setStatus } from "./Given.ts"

const ended = {
  is_completed: false,
  is_trip_cancelled: false,
  is_trip_deleted: false,
  is_driver_deleted: false,
  is_cancelled_by_driver: false,
  is_renewed: false,
  is_replaced: false
}

export const driverTokenRepository = contract("a driver's token", (it) => {
  it.effect("stands for its driver, trip and assignment, while the assignment is live", () =>
    Effect.gen(function* () {
      const tokens = yield* DriverTokenRepository
      const business = yield* newBusiness
      const driver_id = yield* newDriver(business)
      const trip = yield* newTrip(business)
      const { assignment_id, tokenHash } = yield* assign(trip, driver_id, "en_route")
      const found = Option.getOrThrow(yield* tokens.find(business, tokenHash))
      assert.deepInclude(found, { driver_id, trip_id: trip.trip_id, assignment_id, token_hash: tokenHash })
      assert.strictEqual(found.business.business_id, business)
      assert.deepStrictEqual(yield* tokens.find(business, unique("token")), Option.none())
      const other = yield* newBusiness
      assert.deepStrictEqual(yield* tokens.find(other, tokenHash), Option.none())
      yield* setStatus(business, assignment_id, "completed")
      assert.deepStrictEqual(yield* tokens.find(business, tokenHash), Option.none())
      assert.deepStrictEqual(
        yield* tokens.findEnded(business, tokenHash),
        Option.some({ ...ended, is_completed: true })
      )
      assert.deepStrictEqual(yield* tokens.findEnded(business, unique("token")), Option.none())
    })
  )

  it.effect("of a deleted trip stands for nothing", () =>
    Effect.gen(function* () {
      const tokens = yield* DriverTokenRepository
      const business = yield* newBusiness
      const trip = yield* newTrip(business)
      const { tokenHash } = yield* assign(trip, yield* newDriver(business))
      yield* changeTrip(business, trip.trip_id, { deleted_at: now })
      assert.deepStrictEqual(yield* tokens.find(business, tokenHash), Option.none())
      assert.deepStrictEqual(
        yield* tokens.findEnded(business, tokenHash),
        Option.some({ ...ended, is_trip_deleted: true })
      )
    })
  )

  it.effect("of a cancelled assignment says whether the driver or another one was assigned since", () =>
    Effect.gen(function* () {
      const tokens = yield* DriverTokenRepository
      const business = yield* newBusiness
      const [driver, other] = [yield* newDriver(business), yield* newDriver(business)]
      const trip = yield* newTrip(business)
      const { assignment_id, tokenHash } = yield* assign(trip, driver)
      yield* setStatus(business, assignment_id, "cancelled", now, "operator")
      assert.deepStrictEqual(yield* tokens.findEnded(business, tokenHash), Option.some(ended))
      yield* assign(trip, other)
      assert.deepStrictEqual(
        yield* tokens.findEnded(business, tokenHash),
        Option.some({ ...ended, is_replaced: true })
      )
      yield* assign(trip, driver)
      assert.deepStrictEqual(
        yield* tokens.findEnded(business, tokenHash),
        Option.some({ ...ended, is_renewed: true, is_replaced: true })
      )
    })
  )

  it.effect(
    "of a cancelled assignment says whether its driver cancelled it; a driver assigned earlier is no replacement",
    () =>
      Effect.gen(function* () {
        const tokens = yield* DriverTokenRepository
        const business = yield* newBusiness
        const trip = yield* newTrip(business)
        yield* assign(trip, yield* newDriver(business))
        const removed = yield* assign(trip, yield* newDriver(business))
        yield* setStatus(business, removed.assignment_id, "cancelled", now, "operator")
        assert.deepStrictEqual(yield* tokens.findEnded(business, removed.tokenHash), Option.some(ended))
        const left = yield* assign(trip, yield* newDriver(business))
        yield* setStatus(business, left.assignment_id, "cancelled", now, "driver")
        assert.deepStrictEqual(
          yield* tokens.findEnded(business, left.tokenHash),
          Option.some({ ...ended, is_cancelled_by_driver: true })
        )
      })
  )
})
