/**
 * Idempotency keys as Stripe's API reference describes them (page "Idempotent requests"). The first answer to a key,
 * also a failure, is saved for 24 hours and repeated. Other parameters under the same key are an error. An answer is
 * saved only if the request began to execute.
 */
import { StripeFailure } from "./StripeFailure.ts"

/** A response before it is sent. */
export interface Answer {
  readonly status: number
  readonly body: object
}

interface SavedAnswer {
  /** The operation and its parameters. */
  readonly fingerprint: string
  /** Unix seconds. */
  readonly savedAt: number
  readonly answer: Answer
}

const lifetimeSeconds = 24 * 60 * 60

/** The saved answers of one account. `now` returns Unix seconds. */
export const makeIdempotencyKeys = (now: () => number) => {
  const answers = new Map<string, SavedAnswer>()
  return {
    /** The saved answer of a key; undefined if the request is the first one. Throws if the key belongs to another request. */
    find: (key: string, fingerprint: string): Answer | undefined => {
      if (key.length > 255)
        throw new StripeFailure(
          400,
          { type: "invalid_request_error", message: "Idempotency key is longer than 255 characters." },
          false
        )
      const saved = answers.get(key)
      if (saved === undefined || now() - saved.savedAt > lifetimeSeconds) return undefined
      if (saved.fingerprint !== fingerprint)
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
      return saved.answer
    },
    save: (key: string, fingerprint: string, answer: Answer): void => {
      answers.set(key, { fingerprint, savedAt: now(), answer })
    }
  }
}
