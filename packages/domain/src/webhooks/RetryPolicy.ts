/**
 * When a delivery is tried again (specification, Events, Delivery 6 and 7; Limits).
 *
 * The waits are floors, counted from the end of the attempt that failed. Jitter is only ever added, so that no
 * receiver hears early; a receiver's `Retry-After` can lengthen a wait, never shorten it.
 */
import { Option } from "effect"

/** Attempts in total, the first included. */
export const maximumAttempts = 6

/** Seconds to wait after the first, second, … fifth failed attempt. */
export const floors: ReadonlyArray<number> = [60, 120, 240, 480, 960]

/** The most that jitter adds, as a part of the floor. */
export const maximumJitter = 0.1

/** The most seconds that a `Retry-After` can ask for. */
export const longestRetryAfter = 960

/**
 * Seconds to wait after attempt number `attempt` (1-based) failed; `None` when it was the last.
 *
 * `random` is a number in `[0, 1)` that places the jitter; `retryAfter` what the receiver asked for, in seconds.
 */
export const waitAfter = (attempt: number, random: number, retryAfter = 0): Option.Option<number> => {
  const floor = floors[attempt - 1]
  if (attempt >= maximumAttempts || floor === undefined) return Option.none()
  const jittered = floor * (1 + maximumJitter * random)
  // Compared first, so that a `Retry-After` that was no number asks for nothing.
  return Option.some(
    retryAfter > jittered ? Math.max(jittered, Math.min(retryAfter, longestRetryAfter)) : jittered
  )
}

/** How long a claim may be held before another dispatcher takes it for dead, in seconds. */
export const leaseSeconds = 90

// What an attempt may take longer than it should, and a clock go slower than the queue's.
const slackSeconds = 6

/**
 * Seconds after which a claimed delivery whose dispatcher went silent may be tried again: never before the floor
 * that a plain failure of that attempt would have had, however late the attempt began, and within two minutes of a
 * first attempt.
 */
export const recoveryAfter = (attempt: number): number =>
  Math.max(
    leaseSeconds,
    (floors[attempt - 1] ?? 0) + startsWithinSeconds + longestAttemptSeconds + slackSeconds
  )

/** How long one attempt may take, the body of the answer included, in seconds. */
export const longestAttemptSeconds = 15

/** How long a claim may take to be asked for and still be sent, in seconds; older ones are given back unsent. */
export const startsWithinSeconds = 9

/** How long finding the receiver's address and opening a connection to it may take, in seconds. */
export const connectsWithinSeconds = 5

/**
 * Seconds after a claim from which on its POST has begun or never will: the two above, and a little for what lies
 * between. Who disables an endpoint waits for so long at most.
 */
export const lastStartSeconds = startsWithinSeconds + connectsWithinSeconds + 2
