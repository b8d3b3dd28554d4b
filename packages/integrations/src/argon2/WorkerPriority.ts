/** How the threads that hash share the processor with the one that answers requests. */
import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { constants, getPriority, setPriority } from "node:os"

const tasks = "/proc/self/task"

/** Ten steps down: where there is not enough for both, a tenth of what the answering thread gets; else all of it. */
const steps = 10

const isWorker = async (thread: string) => {
  try {
    return (await readFile(`${tasks}/${thread}/comm`, "utf8")).startsWith("libuv-worker")
  } catch {
    // It ended in between.
    return false
  }
}

const lower = async () => {
  const niceness = Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW)
  // Reading is itself the workers' work: once this has an answer, all of them have been started.
  for (const thread of await readdir(tasks)) {
    if (await isWorker(thread)) setPriority(Number(thread), niceness)
  }
}

/**
 * Lets libuv's worker threads give way to every other thread of the machine. On Linux alone, where a thread has
 * a priority of its own; elsewhere, and where that is forbidden, nothing changes.
 */
export const giveWay: Effect.Effect<void> = Effect.ignore(Effect.tryPromise(lower))
