import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"

/** Runs a file as a process that can be sent messages; a relative path starts at this directory. */
export const start = (file: string, environment: Readonly<Record<string, string>> = {}): ChildProcess =>
  fork(resolve(import.meta.dirname, file), {
    execArgv: ["--conditions=@livery/source"],
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })

/** Kills a process, and waits for its end. */
export const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

/** What a receiver has counted. */
export interface Count {
  readonly first: number
  readonly last: number
  readonly arrivals: ReadonlyArray<readonly [string, number]>
}

/**
 * Starts a receiver. `counting` starts a new count: `warm` resolves once `warmUp` POSTs have come, `counted` with their
 * times once `expect` have.
 */
export const receiver = async () => {
  const child = start("ReceiverProcess.ts")
  const message = async () => ((await once(child, "message")) as [unknown])[0]
  const { port } = (await message()) as { readonly port: number }
  return {
    url: `http://127.0.0.1:${port}/`,
    counting: async (expect: number, warmUp = 1) => {
      child.send({ expect, warmUp })
      await message()
      const warm = message()
      const counted = (async () => {
        await warm
        return (await message()) as Count
      })()
      return { warm, counted }
    },
    close: () => end(child)
  }
}

export type Receiver = Awaited<ReturnType<typeof receiver>>
