import { execFile, spawnSync } from "node:child_process"
import { promisify } from "node:util"

/**
 * How each shell runs a script that ends at the first command that fails. `--norc`, because bash reads its start-up file if
 * `SHLVL` is unset and its input is a socket, as it takes itself for a remote shell then. `-f` is the same for zsh.
 */
const shells = {
  dash: ["-eu", "-c"],
  bash: ["--norc", "-eu", "-o", "pipefail", "-c"],
  zsh: ["-f", "-eu", "-o", "pipefail", "-c"]
} as const

/** A shell that documents are tested in. */
export type Shell = keyof typeof shells

/** The shells that this machine has. CI has all of them. */
export const installedShells = (Object.keys(shells) as Array<Shell>).filter(
  (shell) => spawnSync(shell, ["-c", "true"]).status === 0
)

/** Runs a script in a shell. */
export const run = (
  script: string,
  shell: Shell = "bash"
): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  promisify(execFile)(shell, [...shells[shell], script])
