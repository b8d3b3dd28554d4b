/**
 * The grace period before the API stops, and the bounds of the stop. After SIGTERM, load balancers continue to send requests
 * until they notice that the node is not ready. The node serves them, and its `Connection: close` makes clients open a new
 * connection, to another node.
 *
 *     SIGTERM ── grace period ──▶ no new connections ── drainTime ──▶ database closes ──▶ end
 *        └────── workersGrace ─────────────────────────────────────┘
 */
import { Duration, Effect, Layer } from "effect"
import { NodeServer, Stopping } from "@livery/http-adapter"

/**
 * How long the process may take to stop after the grace period. Requests in flight get {@link NodeServer.drainTime} of it,
 * closing the connections to the database the rest.
 */
export const stopTime = Duration.seconds(4)

/** How long the process may take to stop from the signal on. */
export const stopLimit = (grace: Duration.Duration): Duration.Duration => Duration.sum(grace, stopTime)

/** The longest time of an attempt and of recording its result. */
const maxWorkersGrace = Duration.seconds(16)

/**
 * How long the workers wait for attempts in flight: as long as the API may need to end its last request. Attempts that
 * take longer are interrupted, recorded, and made again after their usual wait.
 */
export const workersGrace = (grace: Duration.Duration): Duration.Duration =>
  Duration.min(Duration.sum(grace, NodeServer.drainTime), maxWorkersGrace)

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

/**
 * Runs `late` if closing the scope takes longer than the limit. It times only the finalizers that were added before it,
 * because finalizers run in reverse order. So add it last.
 */
export const boundStop = (limit: Duration.Duration, late: Effect.Effect<void>) =>
  Effect.addFinalizer(() => Effect.forkDetach(Effect.andThen(Effect.sleep(limit), late)))

/** Ends the process at once. Nothing that was acknowledged is lost. */
export const endUnfinished = Effect.sync(() => {
  process.stderr.write("The stop took too long, so the process ends before all connections were closed\n")
  process.exit(1)
})

/** Logs a stop that takes long, with the kinds of resources that are still open. */
export const reportLongStop = Effect.suspend(() =>
  Effect.logWarning("The stop takes long", { open: process.getActiveResourcesInfo().join(", ") })
)
