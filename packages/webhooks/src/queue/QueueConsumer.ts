/**
 * Claims deliveries from the queue and writes their results. It does not depend on how they are posted.
 *
 *     notification or poll ─> claim ─> poster ─> results, in batches ─> free slots ─┐
 *              ^────────────────────────────────────────────────────────────────────┘
 *
 * The queue has all durable state: a killed process loses only its running attempts, and other dispatchers find those by
 * their expired claims. `ConsumerState.ts` lists the states of the loop.
 */
import { DeliveryQueue, logFailure, tracedRound, WorkNotifier } from "@livery/domain"
import type { AttemptResult, ClaimBounds, ClaimedDelivery } from "@livery/domain"
import { type Cause, Clock, Duration, Effect, Exit, Fiber, FiberSet, Latch } from "effect"
import { logUnreported } from "./AttemptLog.ts"
import { countClaims } from "./DeliveryMetrics.ts"
import { type ConsumerState, pauseRules, pollDelay, stateAfter } from "./ConsumerState.ts"
import { nextPause, minPauseMillis, statementTimeout } from "./DatabaseBackoff.ts"
import { makeEndpointLimits } from "./EndpointLimits.ts"
import { lockedPause, makeResultWriter } from "./ResultWriter.ts"
import type { DatabaseClock } from "../time/DatabaseClock.ts"
import { momentNow } from "../time/ElapsedTime.ts"
import type { TimedClaim } from "../time/TimedClaim.ts"
import { makeSlots } from "./Slots.ts"

/** The component that posts deliveries. For each, it calls `attempted` or `unsent` of the consumer. */
export interface Poster {
  /** Posts these. */
  readonly post: (claims: ReadonlyArray<TimedClaim>) => void
  /** Ends the running attempts. */
  readonly interrupt: Effect.Effect<void>
}

export interface ConsumerOptions extends Required<
  Pick<ClaimBounds, "perEndpoint" | "perBusiness" | "perHost">
> {
  /** The most deliveries held, not counting those whose attempt hangs. */
  readonly concurrency: number
  /** How long closing the scope waits for running attempts and their results. */
  readonly grace: Duration.Input
  /** Receives the database's time from each claim. */
  readonly databaseClock: Pick<DatabaseClock, "observe">
}

/**
 * The most deliveries of one claim. A larger claim costs less per delivery, but results are written in bursts of this
 * size.
 */
const maxClaimSize = 400

/** The part of the grace in which the results of interrupted attempts are recorded. */
const recordTime = Duration.millis(500)

const noDeliveries: ReadonlyArray<ClaimedDelivery> = []

/** Makes a consumer. `run` claims while the scope is open, and passes the deliveries to the poster. */
export const makeQueueConsumer = Effect.fnUntraced(function* (options: ConsumerOptions) {
  const { concurrency, perBusiness, perEndpoint, perHost } = options
  const grace = Duration.fromInputUnsafe(options.grace)
  const queue = yield* DeliveryQueue
  const notifier = yield* WorkNotifier
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.makeRuntime<never, void>()

  let state: ConsumerState = "starting"
  // When a claim last returned deliveries.
  let lastClaimedAt = clock.monotonicTimeNanosUnsafe()
  const slotFreed = Latch.makeUnsafe()
  const stopping = Latch.makeUnsafe()
  const slots = makeSlots(concurrency, clock, () => slotFreed.openUnsafe())
  const endpointLimits = makeEndpointLimits(perEndpoint)

  const write = yield* makeResultWriter({
    // The delay saves 12 % of PostgreSQL's time.
    delay: () => (slots.isMoreThanHalfFull() ? "8 millis" : "4 millis"),
    settled: (results: ReadonlyArray<AttemptResult>) => slots.free(results.map(({ delivery }) => delivery))
  })

  /**
   * Releases claims. Locked deliveries are released later. If the statement fails, the deliveries wait for the end of
   * their lease.
   */
  const release = (deliveries: ReadonlyArray<ClaimedDelivery>): Effect.Effect<void> =>
    queue.release(deliveries).pipe(
      Effect.timeout(statementTimeout),
      Effect.catchCause((cause) =>
        Effect.as(logFailure("Webhook claims could not be released", cause), noDeliveries)
      ),
      Effect.flatMap((locked) => {
        slots.free(deliveries.filter((delivery) => !locked.includes(delivery)))
        return locked.length === 0 ? Effect.void : Effect.delay(release(locked), lockedPause)
      })
    )

  /** Claims at most one delivery for each free slot, and passes them to the poster. Returns the next state. */
  const claim = Effect.fnUntraced(function* (
    poster: Poster
  ): Effect.fn.Return<ConsumerState, Cause.TimeoutError> {
    const limit = Math.min(slots.freeCount(), maxClaimSize)
    if (limit <= 0) return "full"
    const requestedAt = momentNow(clock)
    const bounds = { limit, perEndpoint, perBusiness, perHost, limits: endpointLimits.limits }
    const claims = yield* tracedRound(
      "worker.claim_deliveries",
      Effect.timeout(queue.claim(bounds), statementTimeout)
    )
    const { claimed, databaseMillis, failed, unreported } = claims
    // Before the poster signs, because the clock sets the time of the signatures.
    yield* options.databaseClock.observe({ databaseMillis, sentAt: requestedAt.millis })
    if (claimed.length > 0) lastClaimedAt = clock.monotonicTimeNanosUnsafe()
    slots.take(claimed)
    if (unreported.length + failed > 0) yield* Effect.andThen(countClaims(claims), logUnreported(unreported))
    if (stopping.isOpen()) fork(release(claimed))
    else poster.post(claimed.map((delivery) => ({ delivery, claimedAt: requestedAt })))
    return stateAfter(limit, claims)
  })

  /**
   * The time until the next claim: until the next poll, or earlier if an attempt starts to hang and so frees its slot.
   */
  const pauseUntil = (until: "poll" | "hanging") => {
    const millisUntilHanging = slots.millisUntilHanging()
    if (until === "hanging" && millisUntilHanging > 0)
      return Effect.succeed(Duration.millis(millisUntilHanging))
    return pollDelay(Number(clock.monotonicTimeNanosUnsafe() - lastClaimedAt) / 1e6)
  }

  /** Waits as `pauseRules` defines for the state. */
  const pause = Effect.fnUntraced(function* (backoff: number) {
    const { orOnFreedSlot, orOnNotification, until } = pauseRules[state]
    if (until === "none") return
    const duration = until === "backoff" ? Duration.millis(backoff) : yield* pauseUntil(until)
    const timer = orOnNotification ? notifier.wait("deliveries", duration) : Effect.sleep(duration)
    yield* Effect.raceFirst(
      timer,
      orOnFreedSlot ? Effect.raceFirst(slotFreed.await, stopping.await) : stopping.await
    )
  })

  const loop = Effect.fnUntraced(function* (poster: Poster) {
    let backoff = minPauseMillis
    while (!stopping.isOpen()) {
      // Closed before the claim, so that a slot that is freed during the claim is noticed.
      slotFreed.closeUnsafe()
      const exit = yield* Effect.exit(claim(poster))
      if (Exit.isFailure(exit)) yield* logFailure("Webhook deliveries could not be claimed", exit.cause)
      state = Exit.isSuccess(exit) ? exit.value : "failing"
      yield* pause(backoff)
      backoff = state === "failing" ? nextPause(backoff) : minPauseMillis
    }
  })

  return {
    attempted: (result: AttemptResult): void => {
      slots.attempted(result.delivery)
      endpointLimits.attempted(result)
      write(result)
    },
    unsent: (delivery: ClaimedDelivery) => void fork(release([delivery])),
    /**
     * Starts to claim, until the scope closes. Then claiming stops, and running attempts have `grace` to end and to be
     * recorded. Those that take longer are interrupted and recorded, so that no claim of a stopped dispatcher remains.
     */
    run: Effect.fnUntraced(function* (poster: Poster) {
      const running = yield* Effect.forkScoped(loop(poster))
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          stopping.openUnsafe()
          const ended = Effect.andThen(Fiber.await(running), slots.empty.await)
          yield* Effect.timeoutOption(ended, Duration.subtract(grace, recordTime))
          yield* poster.interrupt
          yield* Effect.timeoutOption(ended, recordTime)
        })
      )
    })
  }
})
