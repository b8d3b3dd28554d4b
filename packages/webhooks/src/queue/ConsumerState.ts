/**
 * The states of the loop that claims deliveries, and what each of them waits for before the next claim.
 *
 *     state      entered after                                       claims again
 *     ─────────  ──────────────────────────────────────────────────  ───────────────────────────────────────────────────
 *     starting   the start                                           at once
 *     more       a claim that was filled to its limit, or that has   at once
 *                found expired claims, whose deliveries are due now
 *     full       no slot was free                                    on a freed slot, or once an attempt hangs
 *     refilling  a claim that found less, or whose bounds kept due   on a freed slot, on a notification, or at the next
 *                deliveries back                                     poll
 *     quiet      a claim that found nothing due                      on a notification, or at the next poll
 *     failing    a claim that failed                                 after a backoff of 250 ms to 2 s
 *
 * When the scope closes, every state ends immediately and claiming stops.
 */
import type { Claims } from "@livery/domain"
import { Duration, Effect, Random } from "effect"

export type ConsumerState = "starting" | "more" | "full" | "refilling" | "quiet" | "failing"

/**
 * When a state ends. `until` is the time limit: `none` (at once), the next `poll`, the moment when an attempt starts to
 * hang (`hanging`), or the end of a `backoff`.
 */
export interface PauseRule {
  readonly until: "none" | "poll" | "hanging" | "backoff"
  readonly orOnNotification: boolean
  readonly orOnFreedSlot: boolean
}

export const pauseRules: Readonly<Record<ConsumerState, PauseRule>> = {
  starting: { until: "none", orOnNotification: false, orOnFreedSlot: false },
  more: { until: "none", orOnNotification: false, orOnFreedSlot: false },
  full: { until: "hanging", orOnNotification: false, orOnFreedSlot: true },
  refilling: { until: "poll", orOnNotification: true, orOnFreedSlot: true },
  quiet: { until: "poll", orOnNotification: true, orOnFreedSlot: false },
  failing: { until: "backoff", orOnNotification: false, orOnFreedSlot: false }
}

/** The state after a claim of at most `limit` deliveries that succeeded. */
export const stateAfter = (
  limit: number,
  { claimed, failed, isHeldBack, unreported }: Claims
): ConsumerState => {
  if (claimed.length + failed >= limit) return "more"
  if (claimed.length === 0 && unreported.some(({ status }) => status === "pending")) return "more"
  return claimed.length > 0 || isHeldBack ? "refilling" : "quiet"
}

/**
 * The time until the next poll, after `quietMillis` without a claimed delivery: that time, but at least 0.1 s and at most
 * 0.9 s, minus a random part of up to a quarter. So events of other processes are found quickly while there are some, an
 * idle database is polled about once a second, and several dispatchers do not poll at the same time.
 */
export const pollDelay = (quietMillis: number): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.next, (random) =>
    Duration.millis(Math.min(Math.max(quietMillis, 100), 900) * (0.75 + random / 4))
  )
