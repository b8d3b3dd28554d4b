import { readdir, readFile } from "node:fs/promises"
import { getPriority } from "node:os"
import { platform } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import { Argon2PasswordHasher } from "@livery/integrations"
import { Effect, Layer } from "effect"

/** The priority of every thread of this process, by its name. */
const priorities = Effect.promise(async () => {
  const threads = await readdir("/proc/self/task")
  return Promise.all(
    threads.map(async (thread) => ({
      name: (await readFile(`/proc/self/task/${thread}/comm`, "utf8")).trim(),
      priority: getPriority(Number(thread))
    }))
  )
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
