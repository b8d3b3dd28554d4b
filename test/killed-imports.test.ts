/** An import goes on to its end although servers are killed in the middle of it: each line once, by one server at a time. */
import type { ImportRecord } from "@livery/domain"
import { randomInt } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp } from "./support/Account.ts"
import { answerOf, bearer } from "./support/Client.ts"
import { query } from "./support/DatabaseRows.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

const rounds = Math.min(Number(process.env["LIVERY_KILL_ROUNDS"] ?? 2), 20)

/** Several batches, of which two servers together do one after the other. */
const lines = 1000 + rounds * 1000

vi.setConfig({ testTimeout: 120_000 + rounds * 20_000, hookTimeout: 120_000 })

describe(`an import of ${lines} trips whose servers are killed ${rounds} times`, () => {
  let place: Installation
  let servers: ReadonlyArray<Server>
  let account: Account
  beforeAll(async () => {
    place = await installation()
    servers = [await place.serve(), await place.serve()]
    account = await signUp(place, servers[0] ?? assert.fail("no server"))
  })
  afterAll(() => place.remove())

  const through = () => account.through(servers[0] ?? assert.fail("no server"))

  it("stores each line once, and counts it once", async () => {
    await through().post("/customers", { name: "Ada", external_ref: "K-1" })
    const table = [
      "external_ref,trip_date,pickup_address,dropoff_address,customer_ref,status",
      ...Array.from(
        { length: lines },
        (_, at) =>
          `T-${at},2040-01-01T10:00,Station ${at},Airport,K-1,${at % 2 === 0 ? "completed" : "confirmed"}`
      ),
      "T-none,2040-01-01T10:00,Station,Airport,K-2,"
    ].join("\n")
    const form = new FormData()
    form.set("file", new Blob([table]), "trips.csv")
    form.set("as", "trips")
    const { body } = await answerOf<ImportRecord>(
      await fetch(`${servers[0]?.api}/imports`, {
        method: "POST",
        headers: bearer(account.apiKey),
        body: form
      })
    )
    const current = async () =>
      (await through().get<ImportRecord>(`/imports/${body.data.import_id}`)).body.data
    for (let round = 1; round <= rounds; round++) {
      const { done } = await current()
      await vi.waitUntil(async () => (await current()).done > done, { timeout: 60_000, interval: 5 })
      // Somewhere within the next batch.
      await new Promise((resolve) => setTimeout(resolve, randomInt(0, 400)))
      for (const { program } of servers) program.signal("SIGKILL")
      await Promise.all(servers.map(({ program }) => program.ended))
      servers = [await place.serve(), await place.serve()]
    }
    const finished = await vi.waitUntil(
      async () => {
        const read = await current()
        return read.status === "running" ? undefined : read
      },
      { timeout: 120_000, interval: 100 }
    )
    assert.deepInclude(finished, {
      status: "finished",
      lines: lines + 1,
      done: lines + 1,
      made: lines,
      matched: 0,
      changed: 0,
      refused: 1
    })
    const [stored] = await query(
      place,
      `select count(*)::int as trips, count(distinct external_ref)::int as refs,
              count(*) filter (where status = 'completed')::int as completed from trips`
    )
    assert.deepStrictEqual(stored, { trips: lines, refs: lines, completed: lines / 2 })
    const events = await query(
      place,
      `select event_type, count(*)::int as count from events where event_type like 'trip.%' group by 1 order by 1`
    )
    assert.deepStrictEqual(events, [
      { event_type: "trip.completed", count: lines / 2 },
      { event_type: "trip.created", count: lines },
      { event_type: "trip.updated", count: lines / 2 }
    ])
    const outcomes = await query(
      place,
      `select status, count(*)::int as count, count(distinct record_id)::int as records
       from import_lines group by status order by status`
    )
    assert.deepStrictEqual(outcomes, [
      { status: "made", count: lines, records: lines },
      { status: "refused", count: 1, records: 0 }
    ])
  })
})
