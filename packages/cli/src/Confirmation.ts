/** Asks before an action that ends something: on a terminal by a question, elsewhere by requiring `--yes`. */
import { Effect } from "effect"
import { Flag, Prompt } from "effect/cli"
import { CommandRefused } from "./Refusal.ts"

/** The flag that confirms in advance. */
export const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDefault(false),
  Flag.withDescription("Do not ask for confirmation")
)

const unconfirmed = (reason: string) => new CommandRefused({ type: "confirmation_required", reason })

/** Continues only if the action is confirmed. `question` names the action and what it ends. */
export const confirm = Effect.fnUntraced(function* (question: string, isConfirmed: boolean) {
  if (isConfirmed) return
  if (!process.stdin.isTTY) return yield* unconfirmed(`${question} Repeat the command with --yes to confirm.`)
  if (!(yield* Prompt.Confirm({ message: question }))) return yield* unconfirmed("Nothing was changed.")
})
