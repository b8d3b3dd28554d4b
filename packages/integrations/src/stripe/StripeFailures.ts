/** What a failed request to Stripe means. */
import { PaymentProviderUnavailable, PaymentRefused } from "@livery/domain"
import { Data, Effect, Option, Predicate } from "effect"

/** A request that failed, with what is known about the failure. */
export class StripeCallFailed extends Data.TaggedError("StripeCallFailed")<{
  readonly meaning: PaymentRefused | PaymentProviderUnavailable
  /** Whether the same request may succeed soon. */
  readonly transient: boolean
  /** Whether Stripe repeated a failure that it keeps under the idempotency key. */
  readonly kept: boolean
  /** Whether Stripe has no record of the identifier. */
  readonly missing: boolean
  /** Stripe's identifier of the request, for its logs; undefined if the request did not reach it. */
  readonly requestId: string | undefined
}> {}

const reasons: Readonly<Record<string, string>> = {
  amount_too_small: "the amount is smaller than it charges",
  amount_too_large: "the amount is larger than it charges",
  charge_already_refunded: "the payment has already been refunded",
  charge_disputed: "the customer disputes the payment",
  idempotency_error: "the same key was used for another request",
  payment_intent_unexpected_state: "the payment's state does not allow it",
  resource_missing: "it has no such record"
}

const textIn = (error: unknown, field: string): string | undefined => {
  const value = Predicate.hasProperty(error, field) ? error[field] : undefined
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A code consists of lower-case words, so that no other text of Stripe gets into a message of ours. */
const codeOf = (error: unknown): string => {
  const code = textIn(error, "code") ?? textIn(error, "rawType")
  return code !== undefined && /^[a-z0-9_]{1,64}$/u.test(code) ? code : "invalid_request_error"
}

const headerIn = (error: unknown, name: string) =>
  Predicate.hasProperty(error, "headers") ? textIn(error.headers, name) : undefined

const unavailable = (reason: string) => new PaymentProviderUnavailable({ reason })

const meaningOf = (error: unknown, status: number | undefined): StripeCallFailed["meaning"] => {
  if (status === undefined)
    return unavailable(
      textIn(error, "type") === "StripeAPIError"
        ? "its answer cannot be read"
        : "it cannot be reached, or the connection broke"
    )
  if (status === 401) return unavailable("it does not accept STRIPE_SECRET_KEY")
  if (status === 403) return unavailable("STRIPE_SECRET_KEY does not permit the request")
  if (status === 429) return unavailable("it receives too many requests")
  if (status === 409 || status >= 500) return unavailable(`it answers with ${status}`)
  const code = codeOf(error)
  return new PaymentRefused({
    code,
    reason: `${reasons[code] ?? "it does not accept the request"} (${code})`
  })
}

/** The failure that an error of the SDK means. */
export const failureOf = (error: unknown): StripeCallFailed => {
  const status = Predicate.hasProperty(error, "statusCode") ? error.statusCode : undefined
  const known = typeof status === "number" ? status : undefined
  const kept = headerIn(error, "idempotent-replayed") === "true"
  const retryable = known === undefined || known === 409 || known === 429 || known >= 500
  return new StripeCallFailed({
    meaning: meaningOf(error, known),
    transient: retryable && !kept && headerIn(error, "stripe-should-retry") !== "false",
    kept: kept && known !== undefined && known >= 500,
    missing: known === 404 && codeOf(error) === "resource_missing",
    requestId: textIn(error, "requestId")
  })
}

/** The response is not one of Stripe's records, for example that of a proxy. */
export const unreadable: StripeCallFailed = new StripeCallFailed({
  meaning: unavailable("its answer cannot be read"),
  transient: true,
  kept: false,
  missing: false,
  requestId: undefined
})

/** No answer came in time. */
export const noAnswer = (transient: boolean): StripeCallFailed =>
  new StripeCallFailed({
    meaning: unavailable("it did not answer in time"),
    transient,
    kept: false,
    missing: false,
    requestId: undefined
  })

/** More requests wait for the provider than may. */
export const overloaded: StripeCallFailed = new StripeCallFailed({
  meaning: unavailable("too many requests to it are under way"),
  transient: false,
  kept: false,
  missing: false,
  requestId: undefined
})

/** A call whose failures are what they mean to the domain. */
export const meaning = <A>(call: Effect.Effect<A, StripeCallFailed>) =>
  Effect.mapError(call, (failure) => failure.meaning)

/** The value of an answer; `None` if Stripe has no record of the identifier. */
export const orNone = <A>(call: Effect.Effect<{ readonly value: A }, StripeCallFailed>) =>
  call.pipe(
    Effect.map(({ value }) => Option.some(value)),
    Effect.catchIf(
      ({ missing }) => missing,
      () => Effect.succeed(Option.none<A>())
    ),
    meaning
  )
