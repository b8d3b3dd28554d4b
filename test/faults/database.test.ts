import type { TripRecord } from "@livery/domain"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { trip } from "../support/Account.ts"
import { clientOf } from "../support/Client.ts"
import { query } from "../support/DatabaseRows.ts"
import { extent, isFull } from "./support/Extent.ts"
import { type Office, office, until } from "./support/Office.ts"
import { type OwnPostgres, ownPostgres } from "./support/OwnPostgres.ts"

/** How many seconds deliveries may take after the database's return; more beside all other tests of a run. */
const patience = isFull ? 10 : 120
const clients = 6

describe("the database fails under load: the processes live, and all is delivered within 10 s of its return,", () => {
  let postgres: OwnPostgres
  let here: Office
  beforeAll(async () => {
    postgres = await ownPostgres()
    here = await office({ embedded: true, settings: { ...postgres.settings, DATABASE_POOL: "4" } })
    await here.subscribe(["trip.created"])
  })
  afterAll(async () => {
    await here.close()
    await postgres.stop()
  })

  /** Books through several clients while something happens; gives the trips that were acknowledged. */
  const bookDuring = async (happening: () => Promise<void>) => {
    const acknowledged: Array<number> = []
    const refusals = new Set<number>()
    const office = { isOpen: true }
    const client = here.account.through(here.api())
    const bookOn = async () => {
      while (office.isOpen) {
        const answer = await client.post<TripRecord>("/trips", trip())
        if (answer.status === 201) acknowledged.push(answer.body.data.trip_id)
        else refusals.add(answer.status)
      }
    }
    const booking = Array.from({ length: clients }, bookOn)
    const heard = here.receiver.notices.length
    await until(() => here.receiver.notices.length > heard + clients)
    await happening()
    const returned = performance.now()
    // Some more, so that it is seen to work again.
    const before = acknowledged.length
    await until(() => acknowledged.length > before + clients)
    office.isOpen = false
    await Promise.all(booking)
    for (const status of refusals) assert.include([500, 503], status, "and nothing else is answered")
    return { acknowledged, returned }
  }

  /** Waits until all is delivered; gives how many seconds after the database's return that was. */
  const secondsToDeliver = async (
    dispatcher: { readonly ending: () => unknown },
    { acknowledged, returned }: { readonly acknowledged: ReadonlyArray<number>; readonly returned: number }
  ) => {
    const left = 2 * patience
    await until(() => {
      const reported = new Set(here.receiver.notices.map(({ event }) => event.data["trip_id"]))
      return acknowledged.every((id) => reported.has(id))
    }, left)
    const open = "select count(*)::int as open from webhook_deliveries where status <> 'delivered'"
    await until(async () => (await here.one(open))["open"] === 0, left)
    const seconds = (performance.now() - returned) / 1000
    process.stdout.write(`${acknowledged.length} trips, all delivered ${seconds.toFixed(1)} s after\n`)
    assert.isUndefined(dispatcher.ending(), "the dispatcher lives")
    assert.isUndefined(here.api().program.ending(), "the API lives")
    // Shared rate counters are asked again within seconds of their return.
    await vi.waitFor(
      async () => {
        assert.strictEqual((await clientOf(here.api().address).get("/health/ready")).status, 200)
      },
      { timeout: 60_000, interval: 50 }
    )
    const [most] = await query(here.place, "select max(attempt) as attempt from webhook_deliveries")
    assert.isAtMost(Number(most?.["attempt"]), 6)
    return seconds
  }

  it("after a crash and an immediate start", { timeout: 300_000 }, async () => {
    const dispatcher = here.dispatcher()
    for (let round = 1; round <= extent(10, 1); round++)
      assert.isBelow(await secondsToDeliver(dispatcher, await bookDuring(postgres.restart)), patience)
  })

  it("after every session was terminated, time and again", { timeout: 300_000 }, async () => {
    const dispatcher = here.dispatcher()
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'livery%' and pid <> pg_backend_pid()`
    const during = await bookDuring(async () => {
      for (let round = 1; round <= extent(50, 5); round++) await query(here.place, terminate)
    })
    assert.isBelow(await secondsToDeliver(dispatcher, during), patience)
  })

  it("after the pools were exhausted, by a lock that everyone waited for", { timeout: 300_000 }, async () => {
    const dispatcher = here.dispatcher()
    const holder = new Client({ connectionString: postgres.settings["DATABASE_URL"] })
    await holder.connect()
    const waiting = `select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and application_name like 'livery%'`
    const during = await bookDuring(async () => {
      await holder.query("begin; lock table trips, webhook_deliveries in access exclusive mode")
      // All four connections of the API, and as many as the dispatcher asks with.
      await until(async () => Number((await here.one(waiting))["count"]) >= 5)
      await until(async () => here.api().program.ending() === undefined)
      // Longer than any statement is waited for.
      if (isFull) await holder.query("select pg_sleep(12)")
      const refused = await here.account.through(here.api()).post("/trips", trip())
      assert.include([500, 503], refused.status)
      await holder.query("commit")
    })
    await holder.end()
    assert.isBelow(await secondsToDeliver(dispatcher, during), patience)
  })
})
