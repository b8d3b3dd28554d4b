/**
 * Reports a wrong command line with one line on standard error, where effect/cli would print the whole help to standard
 * output.
 */
import { Console, Schema } from "effect"
import { CliOutput } from "effect/cli"

/** A command line that lacks something which effect/cli does not require: exit code 2, with a line on standard error. */
export class InvalidUsage extends Schema.TaggedError<InvalidUsage>()("InvalidUsage", {
  reason: Schema.String,
  /** The command, to name its help. */
  command: Schema.String
}) {
  override get message() {
    return `${this.reason}. See: ${this.command} --help`
  }
}

/** One line for the message of an error, whose suggestions are further lines. */
const lineOf = (message: string) => {
  const [sentence = "", suggestions = ""] = message.split("\n\n  Did you mean this?\n")
  const names = suggestions
    .split("\n")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const expected = sentence
    .replace("Expected a string representing a finite number", "Expected a number")
    .replace("Expected: Schema validation failed: ", "")
  return names.length === 0 ? expected : `${expected} (did you mean ${names.join(" or ")}?)`
}

/** Prints help and the version as effect/cli does, and the errors of a wrong command line in one line. */
export const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const lines = event.errors.map(({ message }) => lineOf(message))
    return Console.error(`${lines.join("; ")}. See: ${event.commandPath.join(" ")} --help`)
  }
}
