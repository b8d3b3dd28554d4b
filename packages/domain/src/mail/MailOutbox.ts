import { Context, type Effect } from "effect"
import type { Letter } from "./Mail.ts"

/** A letter that the courier holds. */
export interface ClaimedLetter {
  readonly mailId: number
  /** Which attempt this is, from 1. */
  readonly attempt: number
  /** Undefined if it cannot be opened: it was sealed under another secret than today's. */
  readonly letter: Letter | undefined
}

/**
 * The port that keeps letters until they are sent, sealed, since they carry codes.
 *
 * - `post`: stores a letter, in the transaction that is open; wakes the courier once that commits.
 * - `claim`: takes up to `limit` due letters for two minutes and counts the attempt.
 * - `sent`: forgets a letter that was taken.
 * - `postpone`: keeps a letter for another attempt in so many seconds.
 */
export class MailOutbox extends Context.Service<
  MailOutbox,
  {
    readonly post: (letter: Letter) => Effect.Effect<void>
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<ClaimedLetter>>
    readonly sent: (mailId: number) => Effect.Effect<void>
    readonly postpone: (mailId: number, seconds: number, reason: string) => Effect.Effect<void>
  }
>()("@livery/domain/MailOutbox") {}
