/** Standard input, for values that must not be in the list of processes, and for files. */
import { Effect, Stdio, Stream } from "effect"

/** All of standard input as text. */
export const standardInput = Effect.flatMap(Stdio.Stdio, ({ stdin }) =>
  Stream.mkString(Stream.decodeText(stdin))
).pipe(Effect.orDie)

/** The first line of standard input. */
export const firstLine = Effect.map(standardInput, (text) => text.split(/\r?\n/u, 1)[0] ?? "")
