/** The port to copies of sent messages, which only an installation without a mail server keeps. */
import { Context, Effect } from "effect"

/** - `eraseTo`: deletes the copies of messages to these addresses, and returns how many. */
export interface SentMailShape {
  readonly eraseTo: (addresses: ReadonlyArray<string>) => Effect.Effect<number>
}

/** By default, no copies are kept. */
export const SentMail = Context.Reference<SentMailShape>("@livery/domain/SentMail", {
  defaultValue: () => ({ eraseTo: () => Effect.succeed(0) })
})
