/**
 * Idempotency keys as Stripe's API reference describes them (page "Idempotent requests"). The first result of a key,
 * also a failure, is kept for 24 hours and repeated. Other parameters under the same key are an error. A result is kept
 * only if the request has begun to execute.
 */
import { StripeFailure } from "./StripeFailure.ts"

/** A response before it is sent. */
export interface Answer {
  readonly status: number
  readonly body: object
}

interface Kept {
  readonly request: string
  readonly since: number
  readonly answer: Answer
}

/** In seconds. */
const lifetime = 24 * 60 * 60

/** Keeps the results of one account. `now` gives Unix seconds. */
export const makeIdempotencyKeys = (now: () => number) => {
  const keys = new Map<string, Kept>()
  return {
    /** The kept answer of a key; undefined if the request is the first one. It throws for a key of another request. */
    find: (key: string, request: string): Answer | undefined => {
      if (key.length > 255)
        throw new StripeFailure(
          400,
          { type: "invalid_request_error", message: "Idempotency key is longer than 255 characters." },
          false
        )
      const kept = keys.get(key)
      if (kept === undefined || now() - kept.since > lifetime) return undefined
      if (kept.request !== request)
        throw new StripeFailure(
          400,
          {
            type: "idempotency_error",
            message:
              "Keys for idempotent requests can only be used with the same parameters they were first used with. " +
              `Try using a key other than '${key}' if you meant to execute a different request.`
          },
          false
        )
      return kept.answer
    },
    keep: (key: string, request: string, answer: Answer): void => {
      keys.set(key, { request, since: now(), answer })
    }
  }
}
