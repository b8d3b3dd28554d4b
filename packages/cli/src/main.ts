/** The command line of a process: runs the command line, and reports a failure with a line and an exit code. */
// The first import: schemas that are created after it are compiled.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { exitCode, reported } from "./Reported.ts"

/** Runs the command line of this process. */
export const main = () => {
  const args = process.argv.slice(2)
  NodeRuntime.runMain(reported(args), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(exitCode(exit, args.includes("serve")))
  })
}
