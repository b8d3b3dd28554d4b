/**
 * The pause of an installation's work at the outside: webhooks, mail, reminders and the payment provider. A restored copy is
 * paused, so that a rehearsal reaches no real receiver.
 */
import { Duration, Effect, Layer } from "effect"
import { PlatformSettings } from "./PlatformSettings.ts"

/** The line for an installation whose outgoing work is held. */
export const outgoingPaused =
  "Webhooks, mail, reminders and the reconciliation with the payment provider are held: `livery resume` ends the pause"

/** How often the value in effect is compared. */
const checkInterval = Duration.seconds(1)

/**
 * Runs workers while the platform's setting `outgoing_paused` is false. When it becomes true, the workers are stopped as at the
 * end of the process; when it becomes false, they start again.
 */
export const whileNotPaused = <R>(workers: Layer.Layer<never, never, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const settings = yield* PlatformSettings
      const isPaused = Effect.sync(() => settings.current().outgoing_paused)
      const waitUntil = (paused: boolean) =>
        Effect.repeat(Effect.delay(isPaused, checkInterval), { until: (now) => now === paused })

      const wait = Effect.gen(function* () {
        yield* Effect.logWarning(outgoingPaused)
        yield* waitUntil(false)
        yield* Effect.logInfo("Webhooks, mail and reminders are sent again")
      })
      const runOnce = Effect.scoped(Effect.andThen(Layer.build(workers), waitUntil(true)))

      yield* Effect.flatMap(isPaused, (paused) => (paused ? wait : runOnce)).pipe(
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
