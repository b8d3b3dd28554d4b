import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"

const most = 10_000

/** A millisecond of the machine's time, in which workers and the database continue, also under a clock that a test controls. */
const pause = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/** Reads a condition until it holds, with `between` before each further read; fails if it does not hold after many reads. */
export const eventuallyHolds = <E, R, E2 = never, R2 = never>(
  holds: Effect.Effect<boolean, E, R>,
  between: Effect.Effect<unknown, E2, R2> = Effect.void
) =>
  Effect.gen(function* () {
    for (let read = 0; !(yield* holds); read++) {
      assert.isBelow(read, most, "The condition does not hold")
      yield* pause
      yield* between
    }
  })

/** Waits until a condition holds; fails if it does not after many milliseconds. */
export const eventually = (holds: () => boolean) => eventuallyHolds(Effect.sync(holds))

/** Joins a fiber, and repeats `advance`, a step of the test's clock, until it ends; fails if it does not end after many steps. */
export const joinAdvancing = Effect.fnUntraced(function* <A, E, E2, R2>(
  fiber: Fiber.Fiber<A, E>,
  advance: Effect.Effect<unknown, E2, R2>
) {
  yield* eventuallyHolds(
    Effect.sync(() => fiber.pollUnsafe() !== undefined),
    advance
  )
  return yield* Fiber.join(fiber)
})
