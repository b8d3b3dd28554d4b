/**
 * The worker that assigns feed positions soon after commits. Readers assign missing positions themselves, unless their
 * database is a read-only replica; this keeps replicas current and the number of missing positions small.
 */
import { Cause, Duration, Effect, Layer } from "effect"
import { WorkNotifier } from "../kernel/concurrency/WorkNotifier.ts"
import { logFailure } from "../kernel/Faults.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { EventPositions } from "./EventPositions.ts"

/** The longest wait until events of other processes get their positions. */
const pollInterval = Duration.seconds(5)

/**
 * The pause after a notification, which collects the events of a moment: one statement for many events costs little
 * more than for one.
 */
const collectTime = Duration.millis(250)

/** Pause while another process assigns positions. */
const busyPause = Duration.millis(50)

const pauseAfterFailure = Duration.seconds(2)

/** Runs the worker while its scope lives. */
export const layer: Layer.Layer<never, never, EventPositions | WorkNotifier> = Layer.effectDiscard(
  Effect.gen(function* () {
    const positions = yield* EventPositions
    const notifier = yield* WorkNotifier

    const round = Effect.gen(function* () {
      const assigned = yield* tracedRound("worker.assign_positions", positions.assign)
      if (assigned === "busy") yield* Effect.sleep(busyPause)
      if (assigned !== "all") return
      yield* notifier.wait("events", pollInterval)
      yield* Effect.sleep(collectTime)
    })

    yield* round.pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) =>
          Effect.andThen(
            logFailure("Positions of events could not be assigned", cause),
            Effect.sleep(pauseAfterFailure)
          )
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
