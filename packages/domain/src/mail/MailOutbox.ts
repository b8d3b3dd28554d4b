/** The port that stores messages until they are sent, encrypted because they carry codes. */
import { Context, Duration, type Effect } from "effect"
import type { MailMessage, MailStamp } from "./MailMessage.ts"

/** How long a claim lasts before another sender may claim the message. */
export const mailClaimLease = Duration.minutes(2)

/** A message that a sender has claimed. */
export interface ClaimedMessage {
  readonly mailId: number
  /** The number of this attempt, from 1. */
  readonly attempt: number
  readonly stamp: MailStamp
  /** Undefined if it cannot be decrypted, because the installation's secret has changed. */
  readonly message: MailMessage | undefined
}

/** The messages in the outbox, and the seconds since the oldest of them was posted; 0 if there is none. */
export interface MailBacklog {
  /** Counted to 100,000. */
  readonly waiting: number
  readonly oldestSeconds: number
}

/**
 * - `post`: stores a message in the open transaction and wakes the sender once that commits.
 * - `count`: counts a message for `key` in the open transaction, and returns 0. If `limit` messages were counted for it
 *   within the last hour, it counts nothing and returns the seconds until the next one may be counted. The limit holds
 *   across nodes.
 * - `claim`: claims up to `limit` due messages for {@link mailClaimLease} and counts an attempt of each.
 * - `sent`: deletes a message that was sent.
 * - `postpone`: schedules the next attempt in so many seconds.
 * - `backlog`: the messages that are not sent yet.
 */
export class MailOutbox extends Context.Service<
  MailOutbox,
  {
    readonly post: (message: MailMessage) => Effect.Effect<void>
    readonly count: (key: string, limit: number) => Effect.Effect<number>
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<ClaimedMessage>>
    readonly sent: (mailId: number) => Effect.Effect<void>
    readonly postpone: (mailId: number, seconds: number, reason: string) => Effect.Effect<void>
    readonly backlog: Effect.Effect<MailBacklog>
  }
>()("@livery/domain/MailOutbox") {}
