/**
 * The grace period before the API stops. After SIGTERM, load balancers continue to send requests until they notice that
 * the node is not ready. The node serves them, and its `Connection: close` makes clients open a new connection, to
 * another node.
 */
import { type Duration, Effect, Layer } from "effect"
import { Stopping } from "@livery/http-adapter"

/** Marks the process as stopping when SIGTERM arrives. SIGINT of a terminal stops it without a grace period. */
export const stoppingLayer = Layer.effect(
  Stopping,
  Effect.gen(function* () {
    const state = { isStopping: false }
    const stop = () => {
      state.isStopping = true
    }
    yield* Effect.acquireRelease(
      // Prepended, so that it runs before the listener that interrupts the program.
      Effect.sync(() => process.prependListener("SIGTERM", stop)),
      () => Effect.sync(() => process.removeListener("SIGTERM", stop))
    )
    return state
  })
)

/** Waits for the grace period when the scope closes, if the process was asked to stop by SIGTERM. */
export const waitOnStop = (grace: Duration.Duration) =>
  Effect.flatMap(Stopping, (state) =>
    Effect.addFinalizer(() => Effect.suspend(() => (state.isStopping ? Effect.sleep(grace) : Effect.void)))
  )
