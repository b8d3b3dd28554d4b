/** Calls Stripe through its SDK: each within bounded time, retried where that is safe, a bounded number at once. */
import { makeBoundedQueue, type QueueBounds } from "@livery/domain"
import { Duration, Effect, Option, Redacted, Schedule } from "effect"
import type { Stripe } from "stripe"
import type { StripeAddress } from "./StripeSettings.ts"
import { failureOf, noAnswer, overloaded, type StripeCallFailed, unreadable } from "./StripeFailures.ts"

/** The version of Stripe's API whose records `StripeRecords.ts` reads. */
export const apiVersion = "2026-10-28.endive"

/** Where Stripe is called, and the limits of calls. */
export interface StripeCallOptions {
  readonly address: StripeAddress
  readonly secretKey: Redacted.Redacted
  /** The timeout of a call, including its wait in the queue and its retries; 10 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** The timeout of one request; 4 seconds by default. */
  readonly requestTimeout?: Duration.Input | undefined
  /** The wait before the first retry, doubled for the second; 250 milliseconds by default. */
  readonly retryDelay?: Duration.Input | undefined
  readonly bounds?: Partial<QueueBounds> | undefined
}

/** The answer of Stripe, and whether it repeated the result of an earlier request with the same idempotency key. */
export interface StripeAnswer<A> {
  readonly value: A
  readonly replayed: boolean
}

/** The longest accepted response, in bytes: far more than a response with 100 records of Stripe has. */
const maximumBytes = 8 * 1024 * 1024

/** A response that fails once it is longer than `maximumBytes`: the SDK reads each into memory. */
const limited = (response: Response): Response => {
  if (response.body === null) return response
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.byteLength
      if (size > maximumBytes) controller.error(new RangeError("The response is too long"))
      else controller.enqueue(chunk)
    }
  })
  const { headers, status, statusText } = response
  return new Response(response.body.pipeThrough(counting), { headers, status, statusText })
}

/**
 * `fetch` for one request: ended by `signal`, and never redirected, since the request carries the secret key. `notice`
 * receives the response.
 */
const fetchUntil =
  (signal: AbortSignal, notice: (response: Response) => void): typeof fetch =>
  async (address, init) => {
    const response = await fetch(address, {
      ...init,
      redirect: "error",
      signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal
    })
    notice(response)
    return limited(response)
  }

/** Imported only if a provider is configured, because the import delays the start by about 0.2 s. */
const loaded = Effect.promise(() => import("stripe"))

/**
 * Makes a function that sends a request through the SDK and reads its answer by `read`; a `read` that gives `None`
 * counts as a failure. Every request that changes something must carry an idempotency key, since it may be sent again.
 */
export const makeStripeCalls = Effect.fnUntraced(function* (options: StripeCallOptions) {
  const { Stripe } = yield* loaded
  const timeout = options.timeout ?? "10 seconds"
  const retrying = {
    schedule: Schedule.jittered(Schedule.exponential(options.retryDelay ?? "250 millis")),
    times: 2
  }
  const queued = yield* makeBoundedQueue({ concurrency: 16, waiting: 64, ...options.bounds })

  const clientFor = (signal: AbortSignal, notice: (response: Response) => void) =>
    new Stripe(Redacted.value(options.secretKey), {
      apiVersion,
      appInfo: { name: "Livery" },
      httpClient: Stripe.createFetchHttpClient(fetchUntil(signal, notice)),
      maxNetworkRetries: 0,
      telemetry: false,
      // Effect's timeouts end requests; the SDK's own only has to be longer.
      timeout: Duration.toMillis(timeout) + 60_000,
      ...options.address
    })

  const once = <A>(
    request: (stripe: Stripe) => Promise<object>,
    read: (answer: unknown) => Option.Option<A>
  ) =>
    Effect.tryPromise({
      try: async (signal) => {
        let response: Response | undefined
        const answer = await request(clientFor(signal, (arrived) => (response = arrived)))
        // The SDK takes an error status without an `error` in the body for a success.
        const value = response?.ok === true ? read(answer) : Option.none()
        return Option.map(value, (value): StripeAnswer<A> => ({
          value,
          replayed: response?.headers.get("idempotent-replayed") === "true"
        }))
      },
      catch: failureOf
    }).pipe(
      Effect.flatMap(Option.match({ onNone: () => Effect.fail(unreadable), onSome: Effect.succeed })),
      Effect.timeoutOrElse({
        duration: options.requestTimeout ?? "4 seconds",
        orElse: () => Effect.fail(noAnswer(true))
      })
    )

  return <A>(
    request: (stripe: Stripe) => Promise<object>,
    read: (answer: unknown) => Option.Option<A>
  ): Effect.Effect<StripeAnswer<A>, StripeCallFailed> =>
    queued(
      once(request, read).pipe(
        Effect.retry({ ...retrying, while: ({ transient }: StripeCallFailed) => transient })
      )
    ).pipe(
      Effect.catchTag("TooManyRequests", () => Effect.fail(overloaded)),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(noAnswer(false)) }),
      Effect.tapError(({ meaning, requestId }) =>
        Effect.logWarning("payment provider: request failed", {
          reason: meaning.message,
          stripe_request_id: requestId
        })
      )
    )
})

/** {@link makeStripeCalls}'s function. */
export type StripeCall = Effect.Success<ReturnType<typeof makeStripeCalls>>
