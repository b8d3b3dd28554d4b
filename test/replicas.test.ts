/** A server of Livery on a primary and a standby, which is also its replica, as an operator sets it up. */
import { Effect, Exit, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { addressOf, canReplicate, type PairedServer, replicated } from "./support/Replication.ts"
import type { Server } from "./support/Server.ts"

const patience = { timeout: 60_000, interval: 20 }

describe.skipIf(!canReplicate())("a server with a standby, which is also its replica", () => {
  const scope = Scope.makeUnsafe()
  let servers: { readonly primary: PairedServer; readonly standby: PairedServer }
  let place: Installation
  let server: Server
  let account: Account
  beforeAll(async () => {
    servers = await Effect.runPromise(Scope.provide(scope)(replicated))
    const { primary, standby } = servers
    place = await installation({
      settings: {
        DATABASE_URL: Redacted.value(addressOf([primary.host, standby.host])),
        DATABASE_READ_URL: Redacted.value(addressOf([standby.host, primary.host])),
        DATABASE_READ_LAG_MS: "60000",
        LIVERY_SECRET: randomBytes(24).toString("hex")
      }
    })
    server = await place.serve()
    account = await signUp(place, server)
  }, 120_000)
  afterAll(async () => {
    await place.remove()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const book = async () => {
    const { body, status } = await account.client.post<{ trip_id: number }>("/trips", trip())
    return status === 201 ? body.data.trip_id : undefined
  }

  const listed = async () => {
    const { body } = await account.client.get<ReadonlyArray<{ trip_id: number }>>("/trips?per_page=100")
    return body.data.map(({ trip_id }) => trip_id)
  }

  it("lists each trip at once, from the replica", async () => {
    const sessions = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE application_name = 'livery' AND query LIKE '%FROM trips%'`
    await vi.waitFor(async () => {
      await listed()
      const [row] = await servers.standby.ask(sessions)
      assert.isAbove(Number(row?.["count"]), 0, "the replica has answered a list")
    }, patience)
    for (let count = 0; count < 20; count++) {
      const booked = await book()
      assert.include(await listed(), booked)
    }
  })

  it("serves again without a restart after the primary was lost, with every acknowledged trip", async () => {
    const acknowledged: Array<number> = []
    const load = { isOn: true }
    const booking = async () => {
      while (load.isOn) {
        const id = await book()
        if (id !== undefined) acknowledged.push(id)
      }
    }
    const clients = [booking(), booking(), booking()]
    const untilMore = (count: number) => {
      const before = acknowledged.length
      return vi.waitUntil(() => acknowledged.length > before + count, patience)
    }
    await untilMore(10)
    await servers.primary.kill()
    const lostAt = performance.now()
    await servers.standby.ask("SELECT pg_promote()")
    await untilMore(0)
    process.stdout.write(`a trip was booked ${Math.round(performance.now() - lostAt)} ms after the loss\n`)
    await untilMore(10)
    load.isOn = false
    await Promise.all(clients)
    const rows = await servers.standby.ask("SELECT trip_id::int8::text AS id FROM trips")
    const kept = new Set(rows.map(({ id }) => Number(id)))
    assert.deepStrictEqual(
      acknowledged.filter((id) => !kept.has(id)),
      []
    )
    assert.strictEqual((await clientOf(server.address).get("/health/ready")).status, 200)
    // No replica is left, so the new primary answers.
    const booked = await book()
    assert.include(await listed(), booked)
  })
})
