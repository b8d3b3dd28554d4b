/** The two servers as processes of their own: Livery's built executable, and the peer. */
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, existsSync, openSync } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

/** The options of a server: settings that both servers read, and the file of its log. */
export interface ServerOptions {
  readonly environment: Readonly<Record<string, string>>
  /** The file that standard error is appended to. */
  readonly log: string
}

/** A server that listens. */
export interface Server {
  readonly name: "livery" | "peer"
  readonly pid: number
  readonly port: number
  /** Its standard output until it listened. */
  readonly greeting: string
  /** Stops it, and waits for its end. */
  readonly stop: () => Promise<void>
}

const startMillis = 60_000

const outputUntil = async (child: ChildProcess, expected: RegExp): Promise<string> => {
  let output = ""
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString()
  })
  const deadline = performance.now() + startMillis
  while (!expected.test(output)) {
    if (child.exitCode !== null) throw new Error(`A server stopped before it listened: ${output}`)
    if (performance.now() > deadline) throw new Error(`A server did not listen within a minute: ${output}`)
    await pause(20)
  }
  return output
}

const address = /http:\/\/[^\s:]+:(\d+)\/api\/v1/u

const running = new Set<ChildProcess>()

/**
 * Ends every server at once, for a benchmark that is interrupted. A database ends with the last server that uses it.
 */
export const endAll = async (): Promise<void> => {
  await Promise.all(
    [...running].map(async (child) => {
      const gone = once(child, "exit")
      child.kill("SIGKILL")
      await gone
    })
  )
}

const start = async (
  name: Server["name"],
  args: ReadonlyArray<string>,
  { environment, log }: ServerOptions
): Promise<Server> => {
  const file = openSync(log, "a")
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment, PORT: "0" },
    stdio: ["ignore", "pipe", file]
  })
  closeSync(file)
  running.add(child)
  child.once("exit", () => running.delete(child))
  const greeting = await outputUntil(child, address)
  const { pid } = child
  if (pid === undefined) throw new Error(`${name} has no process id`)
  return {
    name,
    pid,
    port: Number(address.exec(greeting)?.[1]),
    greeting,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, "exit")
      child.kill("SIGTERM")
      await gone
    }
  }
}

/** The built command line. */
export const executable = join(import.meta.dirname, "../../packages/cli/bin/livery.js")

/** `livery serve --only api`. */
export const startLivery = (options: ServerOptions) =>
  start("livery", [executable, "serve", "--only", "api"], options)

/** `livery serve` with its workers. */
export const startWhole = (options: ServerOptions) => start("livery", [executable, "serve"], options)

/** The peer; fails with the remedy if its dependencies are not installed. */
export const startPeer = (options: ServerOptions) => {
  if (!existsSync(join(import.meta.dirname, "node_modules/fastify")))
    throw new Error("The peer is not installed: (cd bench/api && npm ci)")
  return start("peer", [join(import.meta.dirname, "peer/main.js")], options)
}
