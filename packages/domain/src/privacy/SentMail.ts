/** The port to copies of sent messages, which only an installation without a mail server keeps. */
import { Context, Effect } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"

/**
 * - `eraseTo`: deletes the copies of messages that a business sent to these addresses, and returns how many; of all messages
 *   to them if the business is null.
 */
export interface SentMailShape {
  readonly eraseTo: (businessId: BusinessId | null, addresses: ReadonlyArray<string>) => Effect.Effect<number>
}

/** By default, no copies are kept. */
export const SentMail = Context.Reference<SentMailShape>("@livery/domain/SentMail", {
  defaultValue: () => ({ eraseTo: () => Effect.succeed(0) })
})
