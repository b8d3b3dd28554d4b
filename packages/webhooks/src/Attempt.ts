/** One attempt of one delivery: signed, sent, judged. */
import { RetryPolicy, SecretBox, Signature } from "@livery/domain"
import type { AttemptResult, ClaimedDelivery, Cryptography } from "@livery/domain"
import { Cause, Clock, DateTime, Effect, Exit, Option, Random, Tracer } from "effect"
import { remembered } from "./Remembered.ts"
import { WebhookSender } from "./WebhookSender.ts"
import type { SendOutcome } from "./WebhookSender.ts"

const userAgent = "Livery-Webhooks/1.0"

const secretsKept = 1_000

/** Opens sealed secrets, remembering those used last: opening costs more than signing. */
const makeOpener = (secrets: SecretBox["Service"]) => {
  const entryOf = remembered(secretsKept, (): { secret?: string } => ({}))
  return (sealed: string): Effect.Effect<string> => {
    const entry = entryOf(sealed)
    return entry.secret === undefined
      ? Effect.tap(secrets.open(sealed), (secret) => Effect.sync(() => (entry.secret = secret)))
      : Effect.succeed(entry.secret)
  }
}

const failed = (error: string): SendOutcome => ({
  responseStatus: null,
  acknowledged: false,
  error,
  retryAfter: 0
})

// The sender keeps its own time. This is for the case that it does not.
const longest = BigInt(RetryPolicy.longestAttemptSeconds + 1) * 1_000_000_000n

/** What can be ended from outside. */
interface UnderWay {
  /** Ends it as one that took too long. */
  readonly cutOff: () => void
  /** Ends it, and tells nobody. */
  readonly abandon: () => void
}

/** Ends what takes too long: one look a second at the oldest, instead of a timer for each. */
const makeWatch = Effect.fnUntraced(function* (clock: Clock.Clock) {
  // Oldest first, as maps are in the order in which they were filled.
  const underWay = new Map<UnderWay, bigint>()
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const attempt of underWay.keys()) attempt.abandon()
    })
  )
  yield* Effect.gen(function* () {
    yield* Effect.sleep("1 second")
    const now = clock.monotonicTimeNanosUnsafe()
    for (const [attempt, since] of underWay) {
      if (now - since < longest) return
      attempt.cutOff()
    }
  }).pipe(Effect.forever, Effect.forkScoped)
  return {
    begin: (attempt: UnderWay) => underWay.set(attempt, clock.monotonicTimeNanosUnsafe()),
    end: (attempt: UnderWay) => underWay.delete(attempt)
  }
})

/**
 * Gives the function that begins an attempt of a claimed delivery. `ended` hears once how it ended, also when its own
 * side is at fault, and within the time that an attempt may take; not if the scope is closed before.
 *
 * No fiber waits for the answer: to begin and to resume one costs more than to sign, and there are thousands a second.
 */
export const makeAttempt = Effect.gen(function* () {
  const sender = yield* WebhookSender
  const open = makeOpener(yield* SecretBox)
  const clock = yield* Clock.Clock
  const watch = yield* makeWatch(clock)
  const run = Effect.runForkWith(yield* Effect.context<Cryptography>())
  // Spans that nobody collects cost as much as the signature.
  const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer

  const sign = (delivery: ClaimedDelivery, timestamp: number) =>
    Effect.flatMap(open(delivery.sealedSecret), (secret) =>
      delivery.retiredSecrets.length === 0
        ? Signature.sign(timestamp, delivery.body, [secret])
        : Effect.flatMap(Effect.forEach(delivery.retiredSecrets, open), (former) =>
            Signature.sign(timestamp, delivery.body, [secret, ...former])
          )
    )

  const requestOf = (delivery: ClaimedDelivery, signature: string) => ({
    url: delivery.url,
    headers: {
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      "X-Service-Event": delivery.eventType,
      "X-Service-Delivery": delivery.eventId,
      [Signature.signatureHeader]: signature
    },
    body: delivery.body
  })

  /** What a failed attempt is followed by, in seconds or null. */
  const afterFailure = ({ attempt }: ClaimedDelivery, { retryAfter }: SendOutcome) =>
    Effect.map(Random.next, (random) => Option.getOrNull(RetryPolicy.waitAfter(attempt, random, retryAfter)))

  class Attempt implements UnderWay {
    readonly #began = clock.currentTimeMillisUnsafe()
    readonly #delivery: ClaimedDelivery
    readonly #ended: (result: AttemptResult) => void
    #isOver = false
    #breakOff: (() => void) | undefined

    constructor(delivery: ClaimedDelivery, ended: (result: AttemptResult) => void) {
      this.#delivery = delivery
      this.#ended = ended
    }

    begin(): void {
      watch.begin(this)
      run(sign(this.#delivery, Math.floor(this.#began / 1000))).addObserver((exit) => {
        if (this.#isOver) return
        if (Exit.isFailure(exit)) this.#fail(exit.cause)
        else this.#post(exit.value)
      })
    }

    #post(signature: string): void {
      try {
        this.#breakOff = sender.post(requestOf(this.#delivery, signature), (outcome) =>
          this.#conclude(outcome)
        )
      } catch (defect) {
        this.#fail(Cause.die(defect))
      }
    }

    cutOff(): void {
      this.#breakOff?.()
      this.#conclude(failed("timeout"))
    }

    abandon(): void {
      this.#isOver = true
      this.#breakOff?.()
    }

    #fail(cause: Cause.Cause<never>): void {
      run(Effect.logError("A webhook could not be sent", cause))
      this.#conclude(failed("internal error"))
    }

    #conclude(outcome: SendOutcome): void {
      if (this.#isOver) return
      this.#isOver = true
      watch.end(this)
      if (outcome.acknowledged) this.#tell(outcome, null)
      else run(Effect.map(afterFailure(this.#delivery, outcome), (retryIn) => this.#tell(outcome, retryIn)))
    }

    #tell({ acknowledged, error, responseStatus }: SendOutcome, retryIn: number | null): void {
      this.#ended({
        delivery: this.#delivery,
        startedAt: DateTime.makeUnsafe(this.#began),
        durationMs: Math.max(0, clock.currentTimeMillisUnsafe() - this.#began),
        acknowledged,
        responseStatus,
        error,
        retryIn
      })
    }
  }

  const begin = (delivery: ClaimedDelivery, ended: (result: AttemptResult) => void): void =>
    new Attempt(delivery, ended).begin()
  const traced = (delivery: ClaimedDelivery, ended: (result: AttemptResult) => void): void => {
    const attempt = Effect.callback<void>((resume) =>
      begin(delivery, (result) => {
        ended(result)
        resume(Effect.void)
      })
    )
    run(Effect.withSpan(attempt, "WebhookDispatcher.attempt"))
  }
  return isTraced ? traced : begin
})
