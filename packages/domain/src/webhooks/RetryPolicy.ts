/**
 * The times of a delivery's attempts (docs/api/webhooks.md).
 *
 * The waits are minimums, counted from the end of the attempt that failed. Jitter is only added, so that no attempt
 * comes early; a receiver's `Retry-After` can lengthen a wait, never shorten it.
 */
import { Option } from "effect"

/** Attempts in total, including the first. */
export const maxAttempts = 6

/** Seconds to wait after the first, second, … fifth failed attempt. */
export const minimumWaits: ReadonlyArray<number> = [60, 120, 240, 480, 960]

/** The most that jitter adds, as a fraction of the wait. */
const maxJitter = 0.1

/** The most seconds that a `Retry-After` can ask for. */
export const maxRetryAfterSeconds = 960

/**
 * Seconds to wait after attempt number `attempt` (1-based) failed; `None` when it was the last.
 *
 * `random` is a number in `[0, 1)` that decides the jitter; `retryAfter` is the wait that the receiver asked for, in
 * seconds.
 */
export const waitAfter = (attempt: number, random: number, retryAfter = 0): Option.Option<number> => {
  const floor = minimumWaits[attempt - 1]
  if (attempt >= maxAttempts || floor === undefined) return Option.none()
  const jittered = floor * (1 + maxJitter * random)
  // This comparison is false for NaN, so that a malformed `Retry-After` has no effect.
  return Option.some(
    retryAfter > jittered ? Math.max(jittered, Math.min(retryAfter, maxRetryAfterSeconds)) : jittered
  )
}

/** The shortest lease of a claim, in seconds. After its lease, another dispatcher may claim the delivery. */
export const minimumLeaseSeconds = 90

// The slack for attempts that exceed their time limit, and for clocks that are slower than the queue's.
const slackSeconds = 6

/**
 * The lease of a claim, in seconds, by the number of its attempt. It ends no sooner than a retry after a failure of
 * that attempt would come, however late the attempt started, and within two minutes for a first attempt.
 */
export const leaseSecondsOf = (attempt: number): number =>
  Math.max(
    minimumLeaseSeconds,
    (minimumWaits[attempt - 1] ?? 0) + startTimeoutSeconds + maxAttemptSeconds + slackSeconds
  )

/** The most seconds for one attempt, the body of the response included. */
export const maxAttemptSeconds = 15

/** The most seconds from requesting a claim to starting its attempt; older claims are released unsent. */
export const startTimeoutSeconds = 9

/** The most seconds for resolving the receiver's name and connecting to it. */
export const connectTimeoutSeconds = 5

/**
 * The most seconds from requesting a claim to sending the first byte of its POST. A dispatcher checks this right before
 * it sends, because its process may have been paused in between.
 */
export const sendTimeoutSeconds = startTimeoutSeconds + connectTimeoutSeconds + 1

/**
 * The seconds after a claim by which its POST has started or never will, with some slack. Disabling an endpoint waits
 * at most this long.
 */
export const lastStartSeconds = sendTimeoutSeconds + 1
