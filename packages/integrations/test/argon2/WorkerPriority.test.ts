import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { getPriority } from "node:os"
import { platform } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import { Argon2PasswordHasher } from "@livery/integrations"
import { Effect, Layer } from "effect"

/** The name and the priority of a thread of this process; none if it has ended. */
const threadOf = async (thread: string) => {
  try {
    const name = (await readFile(`/proc/self/task/${thread}/comm`, "utf8")).trim()
    return [{ name, priority: getPriority(Number(thread)) }]
  } catch (cause) {
    // Other test files in this process start threads, and end them.
    if (existsSync(`/proc/self/task/${thread}`)) throw cause
    return []
  }
}

/** The priority of every thread of this process, by its name. */
const priorities = Effect.promise(async () => {
  const threads = await readdir("/proc/self/task")
  return (await Promise.all(threads.map(threadOf))).flat()
})

describe.runIf(platform === "linux")("libuv's worker threads", () => {
  it.live("have a lower priority, and no other thread has", () =>
    Effect.gen(function* () {
      yield* Layer.build(Argon2PasswordHasher.layer())
      const own = getPriority()
      const threads = yield* priorities
      const workers = threads.filter(({ name }) => name === "libuv-worker")
      assert.isNotEmpty(workers)
      for (const { priority } of workers) assert.strictEqual(priority, Math.min(own + 10, 19))
      for (const { name, priority } of threads.filter((it) => !workers.includes(it)))
        assert.strictEqual(priority, own, name)
    })
  )
})
