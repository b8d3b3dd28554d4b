/** The contract of `EventPositions`. */
import { EventPositions } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { contract } from "./Contract.ts"
import { emit } from "./Deliveries.ts"
import { newBusiness } from "./Given.ts"

export const eventPositions = contract("the positions of events", (it) => {
  it.effect("have no backlog once all are assigned", () =>
    Effect.gen(function* () {
      const positions = yield* EventPositions
      const business = yield* newBusiness
      for (let count = 0; count < 3; count++) yield* emit(business)
      assert.strictEqual(yield* positions.assign, "all")
      assert.deepStrictEqual(yield* positions.lag, { events: 0, oldestSeconds: 0 })
    })
  )
})
