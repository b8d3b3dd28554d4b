/**
 * Letters to people. A use case puts a letter into the outbox in its own transaction; the courier takes it from
 * there, so that no answer waits for a mail server, and its time tells nothing.
 */
import { Context, type Effect, Schema } from "effect"

/**
 * Where a letter goes that is written only so that its writer takes the time that any letter takes: the courier drops
 * it.
 */
export const nobody = ""

/** A plain-text letter to one address, or to {@link nobody}. */
export const Letter = Schema.Struct({
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String
})
export type Letter = typeof Letter.Type

/** The mail server did not take the letter; it is tried again later. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { reason: Schema.String }) {
  override get message() {
    return `The mail was not taken: ${this.reason}`
  }
}

/** The port that hands one letter to a mail server, or writes it where a developer finds it. */
export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (letter: Letter) => Effect.Effect<void, MailRefused> }
>()("@livery/domain/Mailer") {}

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
