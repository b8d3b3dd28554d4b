/** The priority of libuv's worker threads, which hash passwords. */
import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { constants, getPriority, setPriority } from "node:os"

const tasks = "/proc/self/task"

/** Ten steps of niceness give a busy worker about a tenth of the processor time of the main thread. */
const nicenessSteps = 10

const isWorker = async (thread: string) => {
  try {
    return (await readFile(`${tasks}/${thread}/comm`, "utf8")).startsWith("libuv-worker")
  } catch {
    // The thread has ended meanwhile.
    return false
  }
}

const lower = async () => {
  const niceness = Math.min(getPriority() + nicenessSteps, constants.priority.PRIORITY_LOW)
  // Reading a file runs on the workers: once it is done, all of them have been started.
  for (const thread of await readdir(tasks)) {
    if (await isWorker(thread)) setPriority(Number(thread), niceness)
  }
}

/**
 * Lowers the priority of libuv's worker threads. It has an effect on Linux only, where a thread has its own priority, and
 * none if the system forbids it.
 */
export const lowerWorkerPriority: Effect.Effect<void> = Effect.ignore(Effect.tryPromise(lower))
