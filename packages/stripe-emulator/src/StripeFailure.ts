/** The errors that Stripe answers with, in the form of its API reference (page "Errors"). */
import type { Stripe } from "stripe"

/** The `error` object of a response. */
export interface ErrorBody {
  readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error"
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly decline_code?: string
  readonly charge?: string
  readonly payment_intent?: Stripe.PaymentIntent
}

/**
 * A request that failed. `executed` is false if Stripe refused the request before it began to execute it. Such an answer
 * is not saved under the idempotency key.
 */
export class StripeFailure extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly executed: boolean

  constructor(status: number, body: ErrorBody, executed: boolean) {
    super(body.message)
    this.status = status
    this.body = body
    this.executed = executed
  }
}

/** A parameter is missing or malformed. */
export const invalidParameter = (param: string, message: string, code?: string): StripeFailure =>
  new StripeFailure(
    400,
    { type: "invalid_request_error", message, param, ...(code === undefined ? {} : { code }) },
    false
  )

export const missingParameter = (param: string): StripeFailure =>
  invalidParameter(param, `Missing required param: ${param}.`, "parameter_missing")

/** The parameters are valid, but the record's state does not allow the request. */
export const refusedRequest = (
  message: string,
  details: Pick<ErrorBody, "code" | "param" | "payment_intent"> = {}
): StripeFailure => new StripeFailure(400, { type: "invalid_request_error", message, ...details }, true)

export const noSuchRecord = (name: string, id: string, param: string): StripeFailure =>
  new StripeFailure(
    404,
    {
      type: "invalid_request_error",
      code: "resource_missing",
      message: `No such ${name}: '${id}'`,
      param
    },
    false
  )

/** An error of Stripe's server. `executed` tells whether the request had begun to execute. */
export const internalFailure = (executed: boolean): StripeFailure =>
  new StripeFailure(
    500,
    { type: "api_error", message: "An unknown error occurred while processing your request." },
    executed
  )

export const tooManyRequests = (): StripeFailure =>
  new StripeFailure(
    429,
    {
      type: "invalid_request_error",
      code: "rate_limit",
      message: "Request rate limit exceeded. Learn more about rate limits in the documentation."
    },
    false
  )

export const keyInUse = (): StripeFailure =>
  new StripeFailure(
    409,
    {
      type: "idempotency_error",
      code: "idempotency_key_in_use",
      message:
        "There is currently another in-progress request using this Idempotent Key (that probably means you submitted " +
        "twice, and the other request is still going through). Please try again later."
    },
    false
  )

export const unauthorized = (message: string): StripeFailure =>
  new StripeFailure(401, { type: "invalid_request_error", message }, false)
