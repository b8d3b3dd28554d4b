/**
 * The states of the loop that claims deliveries, and what each of them waits for before the next claim.
 *
 *     state      entered after                                       claims again
 *     ─────────  ──────────────────────────────────────────────────  ───────────────────────────────────────────────────
 *     starting   the start                                           at once
 *     more       a claim that was filled to its limit                at once
 *     refilling  a claim that found less, while a slot that is       on a freed slot, on a notification, or at the next
 *                freed may let in more, or when no slot was free     poll
 *     quiet      a claim that found nothing that waits for a slot    on a notification, or at the next poll
 *     failing    a claim that failed                                 after a backoff of 250 ms to 2 s
 *
 * When the scope closes, every state ends at once and nothing more is claimed.
 */
import { Duration, Effect, Random } from "effect"

export type ConsumerState = "starting" | "more" | "refilling" | "quiet" | "failing"

/** What ends a state. `"none"`: nothing is waited for. */
export interface PauseRule {
  readonly until: "none" | "poll" | "backoff"
  readonly orOnNotification: boolean
  readonly orOnFreedSlot: boolean
}

export const pauseRules: Readonly<Record<ConsumerState, PauseRule>> = {
  starting: { until: "none", orOnNotification: false, orOnFreedSlot: false },
  more: { until: "none", orOnNotification: false, orOnFreedSlot: false },
  refilling: { until: "poll", orOnNotification: true, orOnFreedSlot: true },
  quiet: { until: "poll", orOnNotification: true, orOnFreedSlot: false },
  failing: { until: "backoff", orOnNotification: false, orOnFreedSlot: false }
}

/** The state after a claim that succeeded. */
export const stateAfter = (claim: {
  /** How many deliveries were asked for; 0 when no slot was free. */
  readonly limit: number
  readonly claimed: number
  /** How many became `failed` instead. */
  readonly failed: number
  /** Whether an endpoint or a business has as many in flight as it may. */
  readonly isSaturated: boolean
}): ConsumerState => {
  if (claim.limit <= 0) return "refilling"
  if (claim.claimed + claim.failed >= claim.limit) return "more"
  return claim.claimed > 0 || claim.isSaturated ? "refilling" : "quiet"
}

/**
 * The time until the next poll: as long as nothing was found, within 0.1 and 0.9 s, less up to a quarter so that several
 * dispatchers do not poll all at once. So events of other processes are found soon while there are some, and an idle
 * database is asked about once a second.
 */
export const pollDelay = (quietMillis: number): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.next, (random) =>
    Duration.millis(Math.min(Math.max(quietMillis, 100), 900) * (0.75 + random / 4))
  )
