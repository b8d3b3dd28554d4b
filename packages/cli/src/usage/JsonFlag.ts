/** The flag `--json` of commands with a result. */
import { Flag } from "effect/cli"

/** Prints the result as JSON, for scripts, in place of a text. */
export const json = Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print JSON"))
