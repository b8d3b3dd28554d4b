import { assert } from "@effect/vitest"
import { Effect } from "effect"

const most = 10_000

/** Lets all work that can continue run until a condition holds; fails if it does not after many iterations of the event loop. */
export const eventually = (holds: () => boolean) =>
  Effect.promise(async () => {
    for (let iteration = 0; !holds(); iteration++) {
      assert.isBelow(iteration, most, "The condition does not hold")
      await new Promise(setImmediate)
    }
  })
