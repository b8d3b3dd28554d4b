/**
 * Letters to people. A use case puts a letter into the outbox in its own transaction; the courier takes it from
 * there, so that no answer waits for a mail server, and its time tells nothing.
 */
import { Schema } from "effect"

/**
 * Where a letter goes that is written only so that its writer takes the time that any letter takes: the courier drops
 * it.
 */
export const noRecipient = ""

/** A plain-text letter to one address, or to {@link noRecipient}. */
export const Letter = Schema.Struct({
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String
})
export type Letter = typeof Letter.Type
