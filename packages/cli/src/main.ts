/** The executable: runs the command line, and reports a failure with a line and an exit code. */
// The first import: schemas that are created after it are compiled.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { endProcess } from "./ProcessEnd.ts"
import { exitCode, reported } from "./Reported.ts"

const isServer = process.argv.includes("serve")

reported(process.argv.slice(2)).pipe(
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      const code = exitCode(exit, isServer)
      if (isServer) endProcess(code)
      else onExit(code)
    }
  })
)
