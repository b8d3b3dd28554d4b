import { spawn } from "node:child_process"
import { once } from "node:events"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { executable } from "./support/Program.ts"

describe("readers of the outputs may end", () => {
  let place: Installation
  beforeAll(async () => {
    place = await installation()
  })
  afterAll(() => place.remove())

  it("without readers of both outputs, livery continues to serve and stops with 0", async () => {
    const server = spawn(process.execPath, [executable, "serve"], {
      env: { PATH: process.env["PATH"], ...place.environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const ended = once(server, "exit")
    try {
      let said = ""
      server.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString()
      })
      const address = await vi.waitUntil(() => /http:\S+?(?=\/api\/v1)/u.exec(said)?.[0], {
        timeout: 60_000,
        interval: 5
      })
      server.stdout.destroy()
      server.stderr.destroy()
      for (let request = 0; request < 20; request++)
        assert.strictEqual((await clientOf(address).get("/api/v1/ping")).status, 401)
      assert.strictEqual((await clientOf(address).get("/health/ready")).status, 200)
      server.kill("SIGTERM")
      assert.deepStrictEqual(await ended, [0, null])
    } finally {
      server.kill("SIGKILL")
    }
  })
})
