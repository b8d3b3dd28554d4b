/** Values from standard input: passwords, which must not be in the list of processes, and JSON. */
import { Effect, Option, Redacted, Stdio, Stream } from "effect"
import { Flag, Prompt } from "effect/cli"

/** All of standard input as text. */
export const standardInput = Effect.flatMap(Stdio.Stdio, ({ stdin }) =>
  Stream.mkString(Stream.decodeText(stdin))
).pipe(Effect.orDie)

const firstLine = Effect.map(standardInput, (text) => text.split(/\r?\n/u, 1)[0] ?? "")

/** Asks for a password on the terminal. If standard input is no terminal, the password is its first line. */
export const promptPassword = Effect.fnUntraced(function* (message: string) {
  if (!process.stdin.isTTY) return yield* firstLine
  return Redacted.value(yield* Prompt.Password({ message }))
})

/** The flag for a new password. Unlike standard input, it is visible in the list of processes. */
export const passwordFlag = Flag.Redacted("password").pipe(
  Flag.optional,
  Flag.withDescription(
    "The new password; by default, asked for on the terminal, or the first line of standard input"
  )
)

/** The password of {@link passwordFlag}, or of {@link promptPassword} if the flag is absent. */
export const passwordOf = (password: Option.Option<Redacted.Redacted>) =>
  Option.match(password, {
    onNone: () => promptPassword("New password"),
    onSome: (given) => Effect.succeed(Redacted.value(given))
  })
