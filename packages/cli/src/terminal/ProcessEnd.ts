/**
 * The end of the process of a server or of the doctor.
 *
 * `process.exit` waits for the threads that compile JavaScript, and such a thread may wait for the main thread to collect
 * garbage: the process then never ends (https://github.com/nodejs/node/issues/54918). Replacing the program ends all
 * threads without waiting. The replacement is Node itself, because it certainly exists. It runs without a compiler
 * (`--jitless`), so that it ends reliably.
 */

/** The arguments of a Node program that only exits with the code. */
const exitProgram = (code: number) => [process.execPath, "--jitless", "--eval", `process.exit(${code})`]

/** Runs the process's `exit` listeners and ends the process with that exit code. */
export const endProcess = (code: number): void => {
  if (process.execve === undefined || process.platform === "win32") return process.exit(code)
  process.emit("exit", code)
  return process.execve(process.execPath, exitProgram(code), {})
}
