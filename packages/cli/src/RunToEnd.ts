/** Runs a command line within a program: for the build, which writes the help of each command, and for tests. */
// The first import: schemas that are created after it are compiled.
import "effect/schema/SchemaJITCompiler/enable"
import { Effect } from "effect"
import { exitCode, reported } from "./Reported.ts"

/** Runs a command line that is not a server, and returns its exit code. `args` does not contain the executable's name. */
export const runToEnd = async (args: ReadonlyArray<string>): Promise<number> =>
  exitCode(await Effect.runPromiseExit(reported(args)), false)
