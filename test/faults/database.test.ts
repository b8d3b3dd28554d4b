import type { TripRecord } from "@livery/domain"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { trip } from "../support/Account.ts"
import { clientOf } from "../support/Client.ts"
import { query } from "../support/DatabaseRows.ts"
import { extent, isFull } from "./support/Extent.ts"
import { type Deployment, deploy, until } from "./support/Deployment.ts"
import { type OwnPostgres, ownPostgres } from "./support/OwnPostgres.ts"

/** The most seconds until all is delivered after the database's return; more if all other tests run at the same time. */
const maxSeconds = isFull ? 10 : 120
const clients = 6

describe("the database fails under load: no process ends, and all is delivered within 10 s of its return", () => {
  let postgres: OwnPostgres
  let deployment: Deployment
  beforeAll(async () => {
    postgres = await ownPostgres()
    deployment = await deploy({ settings: { ...postgres.settings, DATABASE_POOL: "4" } })
    await deployment.subscribe(["trip.created"])
  })
  afterAll(async () => {
    await deployment.close()
    await postgres.stop()
  })

  /** Books through several clients during an outage. Returns the acknowledged trips, and the time of the return. */
  const bookDuring = async (outage: () => Promise<void>) => {
    const acknowledged: Array<number> = []
    const refusals = new Set<number>()
    const load = { isOn: true }
    const client = deployment.account.through(deployment.api())
    const bookOn = async () => {
      while (load.isOn) {
        const answer = await client.post<TripRecord>("/trips", trip())
        if (answer.status === 201) acknowledged.push(answer.body.data.trip_id)
        else refusals.add(answer.status)
      }
    }
    const booking = Array.from({ length: clients }, bookOn)
    const received = deployment.receiver.notices.length
    await until(() => deployment.receiver.notices.length > received + clients)
    await outage()
    const returned = performance.now()
    // Further bookings show that it works again.
    const before = acknowledged.length
    await until(() => acknowledged.length > before + clients)
    load.isOn = false
    await Promise.all(booking)
    for (const status of refusals) assert.include([500, 503], status, "the status of every refused booking")
    return { acknowledged, returned }
  }

  /** Waits until all is delivered. Returns the seconds from the database's return until then. */
  const secondsToDeliver = async (
    dispatcher: { readonly ending: () => unknown },
    { acknowledged, returned }: { readonly acknowledged: ReadonlyArray<number>; readonly returned: number }
  ) => {
    const left = 2 * maxSeconds
    await until(() => {
      const reported = new Set(deployment.receiver.notices.map(({ event }) => event.data["trip_id"]))
      return acknowledged.every((id) => reported.has(id))
    }, left)
    const open = "select count(*)::int as open from webhook_deliveries where status <> 'delivered'"
    await until(async () => (await deployment.row(open))["open"] === 0, left)
    const seconds = (performance.now() - returned) / 1000
    process.stdout.write(`${acknowledged.length} trips, all delivered ${seconds.toFixed(1)} s after\n`)
    assert.isUndefined(dispatcher.ending(), "the dispatcher still runs")
    assert.isUndefined(deployment.api().program.ending(), "the API still runs")
    // Within seconds of the database's return, the shared rate counters are used again.
    await vi.waitFor(
      async () => {
        assert.strictEqual((await clientOf(deployment.api().address).get("/health/ready")).status, 200)
      },
      { timeout: 60_000, interval: 50 }
    )
    const [most] = await query(
      deployment.installation,
      "select max(attempt) as attempt from webhook_deliveries"
    )
    assert.isAtMost(Number(most?.["attempt"]), 6)
    return seconds
  }

  it("after a crash and an immediate start", { timeout: 300_000 }, async () => {
    const dispatcher = deployment.startDispatcher()
    for (let round = 1; round <= extent(10, 1); round++)
      assert.isBelow(await secondsToDeliver(dispatcher, await bookDuring(postgres.restart)), maxSeconds)
  })

  it("after every session was terminated repeatedly", { timeout: 300_000 }, async () => {
    const dispatcher = deployment.startDispatcher()
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'livery%' and pid <> pg_backend_pid()`
    const during = await bookDuring(async () => {
      for (let round = 1; round <= extent(50, 5); round++) await query(deployment.installation, terminate)
    })
    assert.isBelow(await secondsToDeliver(dispatcher, during), maxSeconds)
  })

  it(
    "after the pools were exhausted by a lock that every session waited for",
    { timeout: 300_000 },
    async () => {
      const dispatcher = deployment.startDispatcher()
      const holder = new Client({ connectionString: postgres.settings["DATABASE_URL"] })
      await holder.connect()
      const waiting = `select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and application_name like 'livery%'`
      const during = await bookDuring(async () => {
        await holder.query("begin; lock table trips, webhook_deliveries in access exclusive mode")
        // All four connections of the API, and at least one of the dispatcher.
        await until(async () => Number((await deployment.row(waiting))["count"]) >= 5)
        await until(async () => deployment.api().program.ending() === undefined)
        // Longer than the wait for any statement.
        if (isFull) await holder.query("select pg_sleep(12)")
        const refused = await deployment.account.through(deployment.api()).post("/trips", trip())
        assert.include([500, 503], refused.status)
        await holder.query("commit")
      })
      await holder.end()
      assert.isBelow(await secondsToDeliver(dispatcher, during), maxSeconds)
    }
  )
})
