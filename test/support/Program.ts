import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { vi } from "vitest"

/** The executable that `npx livery` runs, built by `npm run build`. */
export const executable = fileURLToPath(new URL("../../packages/cli/bin/livery.js", import.meta.url))

/** How a program ended. */
interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A run of the executable. */
export interface Program {
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ending: () => Ending | undefined
  readonly ended: Promise<Ending>
  readonly signal: (signal: NodeJS.Signals) => boolean
}

const living = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL")
})

/** The variables that a program inherits. No setting of Livery is among them. */
export const inherited = () =>
  Object.fromEntries(["PATH", "HOME", "TMPDIR", "LANG"].map((name) => [name, process.env[name]]))

/** The options of a run. */
export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** The path of Node; by default the one that runs the tests. */
  readonly node?: string
  /** The command before the arguments; by default Node with the built executable. */
  readonly command?: ReadonlyArray<string>
}

/** Runs the executable with these arguments. */
export const launch = (args: ReadonlyArray<string>, options: ProgramOptions = {}): Program => {
  const [file = "", ...words] = options.command ?? [options.node ?? process.execPath, executable]
  const child = spawn(file, [...words, ...args], {
    env: { ...inherited(), ...options.environment },
    stdio: ["pipe", "pipe", "pipe"]
  })
  const output = { stdout: "", stderr: "" }
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text
    })
  // A program that does not read its input may end before the input is written.
  child.stdin.on("error", () => undefined)
  child.stdin.end(options.input ?? "")
  living.add(child)
  let ending: Ending | undefined
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, signal) => {
      living.delete(child)
      ending = { code, signal }
      resolve(ending)
    })
  })
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ending: () => ending,
    ended,
    signal: (signal) => child.kill(signal)
  }
}

/** How a program ended, and its output. */
export interface Outcome extends Ending {
  readonly stdout: string
  readonly stderr: string
}

/** Waits for a program's end, at most `timeout` milliseconds; then it kills the program and throws. */
export const outcomeOf = async (program: Program, timeout = 60_000): Promise<Outcome> => {
  const ending = await vi.waitUntil(program.ending, { timeout, interval: 5 }).catch(() => undefined)
  if (ending === undefined) {
    program.signal("SIGKILL")
    await program.ended
    throw new Error(`The program did not end:\n${program.stdout()}\n${program.stderr()}`)
  }
  return { ...ending, stdout: program.stdout(), stderr: program.stderr() }
}

/** Runs the executable to its end. */
export const runLivery = (args: ReadonlyArray<string>, options?: ProgramOptions): Promise<Outcome> =>
  outcomeOf(launch(args, options))
