/**
 * Commands without a process for each: starting a process and loading the program takes a second, many times what most
 * commands take. For tests of what a command does; how the executable starts, reads its arguments and ends is tested by
 * `runLivery`.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { inherited, type Outcome, type ProgramOptions } from "./Program.ts"

/** A command, as its process gets it. */
export interface Command {
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly input: string
}

const program = fileURLToPath(new URL("CommandProgram.ts", import.meta.url))

interface CommandProcess {
  readonly run: (command: Command) => Promise<Outcome>
  readonly child: ChildProcess
}

const start = (): CommandProcess => {
  const child = spawn(process.execPath, [program], { env: inherited(), stdio: ["pipe", "pipe", "pipe"] })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  // The end is reported to the command that runs.
  child.stdin.on("error", () => undefined)
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject)
    child.once("close", (code) => reject(new Error(`The process of commands ended with ${code}:\n${stderr}`)))
  })
  ended.catch(() => undefined)
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    run: async (command) => {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      const { value } = await Promise.race([answers.next(), ended])
      if (value === undefined) return ended
      return JSON.parse(value) as Outcome
    }
  }
}

let living: CommandProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/** Waits for a command's end, at most a minute; then it kills the process and throws. */
const runHere = async (command: Command): Promise<Outcome> => {
  living ??= start()
  const { child, run } = living
  const kill = setTimeout(() => child.kill("SIGKILL"), 60_000)
  try {
    return await run(command)
  } catch (cause) {
    living = undefined
    throw new Error(`livery ${command.args.join(" ")} did not end`, { cause })
  } finally {
    clearTimeout(kill)
  }
}

/**
 * Runs a command of the built program in a process that runs all such commands of these tests, one after the other.
 * The process ends with the tests, when its standard input ends.
 */
export const runCommand = (
  args: ReadonlyArray<string>,
  { environment = {}, input = "" }: Pick<ProgramOptions, "environment" | "input"> = {}
): Promise<Outcome> => {
  const outcome = last.then(() => runHere({ args, environment: { ...inherited(), ...environment }, input }))
  last = outcome.catch(() => undefined)
  return outcome
}
