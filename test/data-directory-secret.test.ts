import { existsSync } from "node:fs"
import { readdir, readFile, rename, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { type Installation, installation } from "./support/Installation.ts"
import { listening, refusal } from "./support/Starts.ts"

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 })

describe("the secret of a data directory", () => {
  let place: Installation
  beforeEach(async () => {
    place = await installation({ embedded: "absent" })
  })
  afterEach(() => place.remove())

  it("is made once, also by commands that start at once", async () => {
    const create = (name: string) =>
      place.run(["users", "create", "--name", name, "--email", `${name}@b.example`], {
        input: "bletchley park\n"
      })
    for (const { code, stderr } of await Promise.all(["a", "b"].map(create)))
      assert.strictEqual(code, 0, stderr)
    const names = await readdir(place.directory)
    assert.deepStrictEqual(
      names.filter((name) => name.includes("secret")),
      ["secret"]
    )
  })

  it("is not made anew beside data, and a refused start leaves the directory as it was", async () => {
    const first = await place.serve()
    await first.stop()
    const file = join(place.directory, "secret")
    const kept = join(dirname(place.directory), "secret")
    await rename(file, kept)
    const before = (await readdir(place.directory)).toSorted()
    assert.match(
      refusal(await place.run(["serve"])),
      /secret.* is missing, and there is data that was sealed with it/u
    )
    assert.isUndefined(place.postmaster(), "its database does not run on")
    assert.deepStrictEqual((await readdir(place.directory)).toSorted(), before)

    await writeFile(file, `${"x".repeat(43)}\n`)
    assert.match(refusal(await place.run(["serve"]), 2), /^The secret in LIVERY_DATA_DIR is not the one/u)
    assert.isUndefined(place.postmaster())

    await writeFile(file, await readFile(kept))
    assert.strictEqual((await (await place.serve()).stop()).code, 0)
  })

  it("is not made, nor the directory, by a start whose port is taken", async () => {
    const taken = createServer()
    const port = String(await listening(taken))
    const settings = { PORT: port, WORKERS_PORT: port, HOST: "127.0.0.1" }
    try {
      assert.match(refusal(await place.run(["serve"], { settings })), /^PORT /u)
      const workers = await place.run(["serve", "--only", "webhooks"], { settings })
      assert.match(refusal(workers), /^WORKERS_PORT /u)
      assert.isFalse(existsSync(place.directory))
    } finally {
      taken.close()
    }
  })
})
