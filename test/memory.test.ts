import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

describe.runIf(process.platform === "linux")("the process of a server", () => {
  let place: Installation
  beforeAll(async () => {
    place = await installation()
  })
  afterAll(() => place.remove())

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
