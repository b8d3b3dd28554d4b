/** The contract of `TripIds`. */
import { TripIds } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { atOnce, contract } from "./Contract.ts"
import { newBusiness, newTrip } from "./Given.ts"

export const tripIds = contract("the id of a new trip", (it) => {
  it.effect("is given once, also to several at once, and no trip has it", () =>
    Effect.gen(function* () {
      const { next } = yield* TripIds
      const { trip_id } = yield* newTrip(yield* newBusiness)
      const ids = [...(yield* atOnce(100, () => next)), yield* next]
      assert.lengthOf(new Set(ids), ids.length)
      assert.notInclude(ids, trip_id)
    })
  )
})
