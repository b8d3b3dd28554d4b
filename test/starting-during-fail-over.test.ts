/** Starts of `livery serve` with several hosts in `DATABASE_URL`, of which none takes writes at first. */
import { Effect, Redacted } from "effect"
import { assert, describe, it, vi } from "vitest"
import { outcomeOf } from "./support/Program.ts"
import { addressOf, canReplicate, replicated } from "./support/Replication.ts"
import { serverOf } from "./support/Server.ts"
import { refusal, starts, waits } from "./support/Starts.ts"

vi.setConfig({ testTimeout: 180_000 })

const { start, within } = starts()

/** The address of a killed primary and its standby. */
const leaderless = async () => {
  const { primary, standby } = await within(Effect.orDie(replicated))
  await primary.kill()
  return { standby, url: Redacted.value(addressOf([primary.host, standby.host])) }
}

describe.skipIf(!canReplicate())("a start while no host of the database takes writes", () => {
  it("exits with one line that has the reason of each host", async () => {
    const { url } = await leaderless()
    const line = refusal(await outcomeOf(start(url)))
    assert.match(line, /^The database cannot be used: No host of the database can be used: /u)
    assert.match(line, /takes no writes/u)
  })

  it.for(["--wait", "--wait --only api", "--wait --only webhooks", "--wait --migrate"])(
    "waits with %s, and serves when the standby is the primary",
    async (flags) => {
      const { standby, url } = await leaderless()
      const program = start(url, ...flags.split(" "))
      await waits(program, /takes no writes/u)
      await standby.ask("SELECT pg_promote()")
      if (flags.includes("webhooks"))
        await vi.waitUntil(() => program.stdout().includes("workers are ready"), { timeout: 60_000 })
      else assert.isString((await serverOf(program)).api)
    }
  )

  it("waits with --wait for a primary that is frozen and still accepts connections", async () => {
    const { primary, standby } = await within(Effect.orDie(replicated))
    const url = Redacted.value(addressOf([primary.host, standby.host]))
    primary.freeze()
    const program = start(url, "--wait")
    await waits(program, /(?:did not answer in time|timed out).*takes no writes/u)
    await standby.ask("SELECT pg_promote()")
    assert.isString((await serverOf(program)).api)
  })
})
