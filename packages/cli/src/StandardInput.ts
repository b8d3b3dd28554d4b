/** Standard input, for values that must not be in the list of processes, and for files. */
import { Effect, Option, Redacted, Stdio, Stream } from "effect"
import { Flag, Prompt } from "effect/cli"

/** All of standard input as text. */
export const standardInput = Effect.flatMap(Stdio.Stdio, ({ stdin }) =>
  Stream.mkString(Stream.decodeText(stdin))
).pipe(Effect.orDie)

const firstLine = Effect.map(standardInput, (text) => text.split(/\r?\n/u, 1)[0] ?? "")

/** A password that is typed without being shown; where standard input is no terminal, its first line. */
export const askedPassword = Effect.fnUntraced(function* (message: string) {
  if (!process.stdin.isTTY) return yield* firstLine
  return Redacted.value(yield* Prompt.Password({ message }))
})

/** The flag of a new password. An argument, unlike standard input, is visible in the list of processes. */
export const passwordFlag = Flag.Redacted("password").pipe(
  Flag.optional,
  Flag.withDescription(
    "The password; without it, the terminal asks for it, or it is the first line of standard input"
  )
)

/** The password of {@link passwordFlag}. */
export const passwordOf = (password: Option.Option<Redacted.Redacted>) =>
  Option.match(password, {
    onNone: () => askedPassword("New password"),
    onSome: (given) => Effect.succeed(Redacted.value(given))
  })
