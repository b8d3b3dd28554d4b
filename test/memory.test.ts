import { readdirSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** The threads of a process that help V8 to collect garbage and to compile. */
const helperThreads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).filter((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8").startsWith("V8Worker")
  ).length

describe.runIf(process.platform === "linux")("the process of a server", () => {
  let place: Installation
  beforeAll(async () => {
    place = await installation()
  })
  afterAll(() => place.remove())

  it("has a helper thread of V8 for each core but one, from one to four", async () => {
    const server = await place.serve()
    assert.strictEqual(
      helperThreads(server.program.pid),
      Math.min(4, Math.max(1, availableParallelism() - 1))
    )
    await server.stop()
  })

  it(
    "gives back the memory of hashed passwords, and holds less than 200 MB at rest",
    { timeout: 60_000 },
    async () => {
      const server = await place.serve()
      const attempt = { email: "nobody@example.com", password: "correct horse" }
      for (let login = 0; login < 20; login++)
        assert.strictEqual((await clientOf(server.api).post("/auth/login", attempt)).status, 401)
      await vi.waitFor(() => assert.isBelow(residentMegabytes(server.program.pid), 200), {
        timeout: 60_000,
        interval: 250
      })
      assert.strictEqual((await server.stop()).code, 0)
    }
  )
})
