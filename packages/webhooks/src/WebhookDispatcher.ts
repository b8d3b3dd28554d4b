/**
 * The dispatcher: takes due deliveries, sends them, records what became of them.
 *
 *     bell or poll ─> claim ─> line ─> attempts ─> results, in batches ─> slots free ─┐
 *          ^──────────────────────────────────────────────────────────────────────────┘
 *
 * A delivery occupies a slot from its claim until its result is written, so that what one process holds is bounded
 * even while the database is away. Nothing is kept here that is not in the queue: a process that is killed loses
 * only the attempts under way, and those are found by their lapsed claims.
 */
import { DeliveryQueue, RetryPolicy, WorkNotifier } from "@livery/domain"
import type { AttemptResult, ClaimedDelivery, Cryptography, SecretBox } from "@livery/domain"
import { Cause, Clock, Duration, Effect, Exit, Fiber, FiberSet, Latch, Layer, Random } from "effect"
import { makeAttempt } from "./Attempt.ts"
import { tellSilence } from "./AttemptLog.ts"
import { countFound } from "./DeliveryMetrics.ts"
import { makePace } from "./Pace.ts"
import { nextPause, shortestPause, statementLimit } from "./Patience.ts"
import { makeResultWriter } from "./ResultWriter.ts"
import type { WebhookSender } from "./WebhookSender.ts"

export interface DispatcherOptions {
  /** Deliveries in hand at most, 1,000 by default. Those that hang cost a socket and little memory. */
  readonly concurrency?: number | undefined
  /** Deliveries in hand at most for one endpoint, over all dispatchers of the database; 20 by default. */
  readonly perEndpoint?: number | undefined
  /**
   * Deliveries in hand at most for all endpoints of one business, over all dispatchers of the database; 100 by
   * default, a tenth of the concurrency, so that no business whose receivers hang keeps others waiting.
   */
  readonly perBusiness?: number | undefined
  /** Attempts at most that began less than 10 milliseconds ago and have not ended, 40 by default. */
  readonly abreast?: number | undefined
  /** How long a result waits for others to be written with; 4 milliseconds by default, 8 with its hands full. */
  readonly gather?: Duration.Input | undefined
  /** How long the end of the scope waits for what is under way, 16 seconds by default. */
  readonly grace?: Duration.Input | undefined
}

const claimedAtOnce = 400

const youth = Duration.millis(10)

// A dispatcher that was frozen in between sends nothing that another may have taken over meanwhile, nor anything to
// an endpoint whose disabling was answered meanwhile.
const startWithin = BigInt(RetryPolicy.startsWithinSeconds) * 1_000_000_000n

/** A delivery that was claimed, and when that was asked for. */
interface Claim {
  readonly delivery: ClaimedDelivery
  readonly askedAt: bigint
}

/**
 * How long after a look that found nothing to look again, when nobody rings: as long as nothing was found, but 0.1 to
 * 0.9 s, and up to a quarter less, so that several dispatchers do not look all at once. Where others book, what they
 * booked is sent soon and little by little; where nobody does, the database has its peace.
 */
const nextLook = (quietMillis: number) =>
  Effect.map(Random.next, (random) =>
    Duration.millis(Math.min(Math.max(quietMillis, 100), 900) * (0.75 + random / 4))
  )

/**
 * Runs a dispatcher for as long as the layer lives; any number may share one database. At the end it claims no
 * more, gives back what it has not begun to send, and waits for what is under way to end and be recorded.
 */
export const layer = (
  options: DispatcherOptions = {}
): Layer.Layer<never, never, DeliveryQueue | WebhookSender | WorkNotifier | SecretBox | Cryptography> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const concurrency = options.concurrency ?? 1_000
      const perEndpoint = options.perEndpoint ?? 20
      const perBusiness = options.perBusiness ?? 100
      const deliveries = yield* DeliveryQueue
      const notifier = yield* WorkNotifier
      const attempt = yield* makeAttempt
      const start = yield* FiberSet.makeRuntime<never, void>()

      const clock = yield* Clock.Clock
      const held = new Set<ClaimedDelivery>()
      const wake = Latch.makeUnsafe()
      const stop = Latch.makeUnsafe()
      const idle = Latch.makeUnsafe(true)
      // When a look last found something.
      let foundAt = clock.monotonicTimeNanosUnsafe()
      // Whether there may be more to claim as soon as a slot is free, without anyone ringing.
      let hungry = false

      // With much in hand there is enough to send meanwhile, and a statement costs less for each the more it is about.
      const handsFull = () => held.size > concurrency / 2

      const hold = (claims: ReadonlyArray<ClaimedDelivery>) => {
        for (const delivery of claims) held.add(delivery)
        if (held.size > 0) idle.closeUnsafe()
      }
      const letGo = (claims: ReadonlyArray<ClaimedDelivery>) => {
        for (const delivery of claims) held.delete(delivery)
        if (held.size === 0) idle.openUnsafe()
        if (hungry) wake.openUnsafe()
      }
      const saturated = () => {
        const [ofEndpoint, ofBusiness] = [new Map<number, number>(), new Map<number, number>()]
        for (const { businessId, endpointId } of held) {
          ofEndpoint.set(endpointId, (ofEndpoint.get(endpointId) ?? 0) + 1)
          ofBusiness.set(businessId, (ofBusiness.get(businessId) ?? 0) + 1)
        }
        return (
          [...ofEndpoint.values()].some((count) => count >= perEndpoint) ||
          [...ofBusiness.values()].some((count) => count >= perBusiness)
        )
      }

      const write = yield* makeResultWriter({
        gather: () => options.gather ?? (handsFull() ? "8 millis" : "4 millis"),
        settled: (results: ReadonlyArray<AttemptResult>) => letGo(results.map(({ delivery }) => delivery))
      })

      const giveBack = (claims: ReadonlyArray<ClaimedDelivery>) =>
        deliveries.release(claims).pipe(
          Effect.timeout(statementLimit),
          Effect.catchCause((cause) =>
            Effect.logWarning("Webhook claims could not be released", Cause.pretty(cause))
          ),
          Effect.ensuring(Effect.sync(() => letGo(claims)))
        )

      const isLate = ({ askedAt }: Claim) => clock.monotonicTimeNanosUnsafe() - askedAt > startWithin
      const pace = yield* makePace<Claim>({
        abreast: options.abreast ?? 40,
        youth,
        begin: (claim) => {
          const { delivery } = claim
          const end = (result: AttemptResult) => {
            pace.over(claim)
            write(result)
          }
          if (isLate(claim)) start(giveBack([delivery]))
          else attempt(delivery, end)
        }
      })

      /** Claims and starts what fits; answers whether it is worth asking again at once. */
      const take = Effect.fnUntraced(function* () {
        const limit = Math.min(concurrency - held.size, claimedAtOnce)
        if (limit <= 0) {
          hungry = true
          return false
        }
        const askedAt = clock.monotonicTimeNanosUnsafe()
        const found = yield* Effect.timeout(
          deliveries.claim({ limit, perEndpoint, perBusiness }),
          statementLimit
        )
        const { claimed: claims, failed, silent } = found
        if (claims.length > 0) foundAt = clock.monotonicTimeNanosUnsafe()
        hold(claims)
        hungry = claims.length > 0 || saturated()
        if (silent.length + failed > 0) yield* Effect.andThen(countFound(found), tellSilence(silent))
        if (stop.isOpen()) {
          yield* giveBack(claims)
          return false
        }
        pace.line(claims.map((delivery) => ({ delivery, askedAt })))
        return claims.length + failed >= limit
      })

      const quietMillis = () => Number(clock.monotonicTimeNanosUnsafe() - foundAt) / 1e6

      const dispatch = Effect.gen(function* () {
        let pause = shortestPause
        while (!stop.isOpen()) {
          if (handsFull()) yield* Effect.sleep("2 millis")
          // Closed before looking: what is freed or rung from here on is not missed.
          wake.closeUnsafe()
          const exit = yield* Effect.exit(take())
          if (Exit.isFailure(exit)) {
            yield* Effect.logWarning("Webhook deliveries could not be claimed", Cause.pretty(exit.cause))
            yield* Effect.timeoutOption(stop.await, pause)
            pause = nextPause(pause)
            continue
          }
          pause = shortestPause
          if (!exit.value)
            yield* Effect.raceFirst(
              notifier.wait("deliveries", yield* nextLook(quietMillis())),
              Effect.raceFirst(wake.await, stop.await)
            )
        }
      })

      const dispatching = yield* Effect.forkScoped(dispatch)
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          stop.openUnsafe()
          start(giveBack(pace.close().map(({ delivery }) => delivery)))
          yield* Effect.timeoutOption(
            Effect.andThen(Fiber.await(dispatching), idle.await),
            options.grace ?? "16 seconds"
          )
        })
      )
    })
  )
