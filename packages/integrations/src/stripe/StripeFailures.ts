/** The meaning of failed requests to Stripe. */
import { PaymentProviderUnavailable, PaymentRefused } from "@livery/domain"
import { Data, Effect, Option, Predicate } from "effect"
import { textIn } from "../outgoing/ErrorFields.ts"

/** A request that failed, with what is known about the failure. */
export class StripeCallFailed extends Data.TaggedError("StripeCallFailed")<{
  readonly meaning: PaymentRefused | PaymentProviderUnavailable
  /** Whether the same request may succeed soon. */
  readonly transient: boolean
  /** Whether Stripe repeated a failure that it has saved under the idempotency key. */
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
  const statusCode = Predicate.hasProperty(error, "statusCode") ? error.statusCode : undefined
  const status = typeof statusCode === "number" ? statusCode : undefined
  const kept = headerIn(error, "idempotent-replayed") === "true"
  const retryable = status === undefined || status === 409 || status === 429 || status >= 500
  return new StripeCallFailed({
    meaning: meaningOf(error, status),
    transient: retryable && !kept && headerIn(error, "stripe-should-retry") !== "false",
    kept: kept && status !== undefined && status >= 500,
    missing: status === 404 && codeOf(error) === "resource_missing",
    requestId: textIn(error, "requestId")
  })
}

/** A failure without an answer of Stripe. */
const unanswered = (reason: string, transient: boolean) =>
  new StripeCallFailed({
    meaning: unavailable(reason),
    transient,
    kept: false,
    missing: false,
    requestId: undefined
  })

/** The response is not one of Stripe's records, for example that of a proxy. */
export const unreadable: StripeCallFailed = unanswered("its answer cannot be read", true)

/** No answer came in time. */
export const noAnswer = (transient: boolean): StripeCallFailed =>
  unanswered("it did not answer in time", transient)

/** Too many requests to the provider are waiting. */
export const overloaded: StripeCallFailed = unanswered("too many requests to it are under way", false)

/** A call that fails with the domain's errors. */
export const withDomainErrors = <A>(call: Effect.Effect<A, StripeCallFailed>) =>
  Effect.mapError(call, (failure) => failure.meaning)

/** The value of an answer; `None` if Stripe has no record of the identifier. */
export const orNone = <A>(call: Effect.Effect<{ readonly value: A }, StripeCallFailed>) =>
  call.pipe(
    Effect.map(({ value }) => Option.some(value)),
    Effect.catchIf(
      ({ missing }) => missing,
      () => Effect.succeed(Option.none<A>())
    ),
    withDomainErrors
  )
