/** The port to copies of sent messages, which only an installation without a mail server keeps. */
import { Context, Effect } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Reference } from "./Redaction.ts"

/** Which messages are erased: those to one of the addresses, and those that name one of the records that `erasedAmong` returns. */
export interface ErasedMail {
  readonly addresses: ReadonlyArray<string>
  readonly erasedAmong: (named: ReadonlyArray<Reference>) => Effect.Effect<ReadonlyArray<Reference>>
}

/**
 * - `erase`: deletes the copies of such messages that a business sent, and returns how many; of any sender if the business is
 *   null.
 */
export interface SentMailShape {
  readonly erase: (businessId: BusinessId | null, erased: ErasedMail) => Effect.Effect<number>
}

/** By default, no copies are kept. */
export const SentMail = Context.Reference<SentMailShape>("@livery/domain/SentMail", {
  defaultValue: () => ({ erase: () => Effect.succeed(0) })
})
