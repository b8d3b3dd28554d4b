import { createServer } from "node:net"
import { assert, describe, it, vi } from "vitest"
import { outcomeOf } from "./support/Program.ts"
import { listening, refusal, starts, waits } from "./support/Starts.ts"

// Each test starts a process.
vi.setConfig({ testTimeout: 180_000 })

const { start } = starts()

describe("a start exits with one line if the database", () => {
  it("is unreachable", async () => {
    const server = createServer()
    const port = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    const outcome = await outcomeOf(start(`postgresql://livery@127.0.0.1:${port}/livery`))
    assert.match(refusal(outcome), /^The database cannot be used: .*ECONNREFUSED/u)
  })

  it.for(["--only api", "--only webhooks", "--migrate"])("is unreachable, with %s", async (flags) => {
    const outcome = await outcomeOf(start("postgresql://livery@127.0.0.1:1/livery", ...flags.split(" ")))
    assert.match(refusal(outcome), /^The database cannot be used: .*ECONNREFUSED/u)
  })

  it("does not answer a connection", async () => {
    const silent = createServer()
    const url = `postgresql://livery@127.0.0.1:${await listening(silent)}/livery`
    try {
      assert.match(refusal(await outcomeOf(start(url))), /^The database cannot be used: /u)
    } finally {
      silent.close()
    }
  })
})

describe("serve --wait", () => {
  it("ends with 0 on SIGTERM while it waits", async () => {
    const program = start("postgresql://livery@127.0.0.1:1/livery", "--wait")
    await waits(program, /ECONNREFUSED/u)
    program.signal("SIGTERM")
    assert.deepInclude(await outcomeOf(program), { code: 0, stdout: "" })
  })
})
