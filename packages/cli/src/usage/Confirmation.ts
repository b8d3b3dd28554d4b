/** The confirmation of a destructive action: a question on a terminal; elsewhere, the command requires `--yes`. */
import { Effect } from "effect"
import { Flag, Prompt } from "effect/cli"
import { CommandRefused } from "./Refusal.ts"

/** The flag that confirms in advance. */
export const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDefault(false),
  Flag.withDescription("Do not ask for confirmation")
)

const notConfirmed = (reason: string) => new CommandRefused({ type: "confirmation_required", reason })

/** Fails unless the action is confirmed. `question` names the action and its consequence. */
export const confirm = Effect.fnUntraced(function* (question: string, isConfirmed: boolean) {
  if (isConfirmed) return
  if (!process.stdin.isTTY)
    return yield* notConfirmed(`${question} Repeat the command with --yes to confirm.`)
  if (!(yield* Prompt.Confirm({ message: question }))) return yield* notConfirmed("Nothing was changed.")
})
