/** The executable: runs the command line, and reports a failure with a line and an exit code. */
// The first import: schemas that are created after it are compiled.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { endProcess } from "./terminal/ProcessEnd.ts"
import { exitCode, reported } from "./Reported.ts"

const isServer = process.argv.includes("serve")
/** The doctor leaves checks behind that do not respond. The end of its process must not wait for their threads. */
const endsAtOnce = isServer || process.argv[2] === "doctor"

reported(process.argv.slice(2)).pipe(
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      const code = exitCode(exit, isServer)
      if (endsAtOnce) endProcess(code)
      else onExit(code)
    }
  })
)
