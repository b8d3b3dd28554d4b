/** Waits for what a server does in the background, while the test's clock advances. */
import { Clock, Effect, Schedule } from "effect"
import { TestClock } from "effect/testing"

/** Advances the clock until a condition holds. It also waits for real work between the steps. */
export const until = Effect.fnUntraced(function* (holds: () => boolean | Effect.Effect<boolean>) {
  const time = yield* Clock.Clock
  yield* Effect.suspend(() => {
    const now = holds()
    return typeof now === "boolean" ? Effect.succeed(now) : now
  }).pipe(
    Effect.flatMap((now) =>
      now ? Effect.void : Effect.andThen(TestClock.adjust("1 second"), Effect.fail("not yet"))
    ),
    Effect.provideService(Clock.Clock, time),
    Effect.retry({ schedule: Schedule.spaced("10 millis"), times: 400 }),
    TestClock.withLive,
    Effect.orDie
  )
})
