/** Calls Stripe through its SDK. Calls have a timeout, are retried if that is safe, and are limited in number. */
import { makeBoundedQueue, type QueueBounds } from "@livery/domain"
import { Duration, Effect, Option, Redacted, Schedule } from "effect"
import type { Stripe } from "stripe"
import type { StripeAddress } from "./StripeSettings.ts"
import { failureOf, noAnswer, overloaded, type StripeCallFailed, unreadable } from "./StripeFailures.ts"

/** The version of Stripe's API whose records `StripeRecords.ts` reads. */
const apiVersion = "2026-10-28.endive"

/** Stripe's address and key, and the limits of calls. */
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

/** The response with a body that fails beyond `maximumBytes`, because the SDK reads the whole body into memory. */
const limitBody = (response: Response): Response => {
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
 * `fetch` for one request: ended by `signal`, and never redirected, since the request carries the secret key. `onResponse`
 * receives the response.
 */
const fetchUntil =
  (signal: AbortSignal, onResponse: (response: Response) => void): typeof fetch =>
  async (address, init) => {
    const response = await fetch(address, {
      ...init,
      redirect: "error",
      signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal
    })
    onResponse(response)
    return limitBody(response)
  }

/** Imported only if a provider is configured, because the import delays the start by about 0.2 s. */
const importStripe = Effect.promise(() => import("stripe"))

/**
 * Makes a function that sends a request through the SDK and reads its answer by `read`; the call fails if
 * `read` returns `None`. Every request that changes something must carry an idempotency key, since it may be sent again.
 */
export const makeStripeCalls = Effect.fnUntraced(function* (options: StripeCallOptions) {
  const { Stripe } = yield* importStripe
  const timeout = options.timeout ?? "10 seconds"
  const retries = {
    schedule: Schedule.jittered(Schedule.exponential(options.retryDelay ?? "250 millis")),
    times: 2
  }
  const queued = yield* makeBoundedQueue({ concurrency: 16, waiting: 64, ...options.bounds })

  const clientFor = (signal: AbortSignal, onResponse: (response: Response) => void) =>
    new Stripe(Redacted.value(options.secretKey), {
      apiVersion,
      appInfo: { name: "Livery" },
      httpClient: Stripe.createFetchHttpClient(fetchUntil(signal, onResponse)),
      maxNetworkRetries: 0,
      telemetry: false,
      // Effect's timeouts end requests. That of the SDK must be longer.
      timeout: Duration.toMillis(timeout) + 60_000,
      ...options.address
    })

  const attempt = <A>(
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
      attempt(request, read).pipe(
        Effect.retry({ ...retries, while: ({ transient }: StripeCallFailed) => transient })
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
