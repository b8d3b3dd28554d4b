import { execFile } from "node:child_process"
import { promisify } from "node:util"

/**
 * Runs a script by bash, which ends at the first command that fails. `--norc`, because bash reads its start-up file if
 * `SHLVL` is unset and its input is a socket, as it takes itself for a remote shell then.
 */
export const bash = (script: string): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  promisify(execFile)("bash", ["--norc", "-eu", "-o", "pipefail", "-c", script])
