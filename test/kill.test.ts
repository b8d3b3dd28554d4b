import type { TripRecordWithWarnings, TripRecord } from "@livery/domain"
import { randomInt } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { type Receiver, receiver } from "./support/Receiver.ts"
import { query, expireClaims } from "./support/DatabaseRows.ts"
import type { Server } from "./support/Server.ts"

const rounds = Number(process.env["LIVERY_KILL_ROUNDS"] ?? 2)

/** How many clients book at the same time. */
const clients = 8

const everyTrip = async (account: Account, server: Server) => {
  const trips: Array<TripRecord> = []
  for (let page = 1; ; page++) {
    const { body } = await account.through(server).get<ReadonlyArray<TripRecord>>(`/trips?page=${page}`)
    trips.push(...body.data)
    if (body.meta.pagination?.has_more !== true) return trips
  }
}

describe("killed at any time under load, and started again", () => {
  let place: Installation
  let ears: Receiver
  beforeAll(async () => {
    ;[place, ears] = await Promise.all([installation({ embedded: "copied" }), receiver()])
  })
  afterAll(() => Promise.all([place.remove(), ears.close()]))

  it(
    `keeps every acknowledged trip and delivers its event, ${rounds} times over`,
    { timeout: 120_000 + rounds * 10_000 },
    async () => {
      let server = await place.serve()
      const account = await signUp(place, server)
      await account.client.post("/webhooks", { url: ears.url, events: ["trip.created"] })
      const acknowledged: Array<TripRecord> = []
      const asked = new Set<string>()

      /** Books until the server is gone: its death ends the loop. */
      const bookOn = async (name: string, count: () => void) => {
        for (let number = 1; ; number++) {
          const customer = `${name}, ${number}`
          asked.add(customer)
          const answer = await account
            .through(server)
            .post<TripRecordWithWarnings>("/trips", trip(customer))
            .catch(() => undefined)
          if (answer === undefined) return
          assert.strictEqual(answer.status, 201, answer.text)
          const { warnings: _warnings, ...booked } = answer.body.data
          acknowledged.push(booked)
          count()
        }
      }

      for (let round = 1; round <= rounds; round++) {
        let left = randomInt(1, 150)
        const count = () => {
          left -= 1
          if (left === 0) server.program.signal("SIGKILL")
        }
        await Promise.all(
          Array.from({ length: clients }, (_, client) => bookOn(`${round}, ${client}`, count))
        )
        const { signal } = await server.program.ended
        assert.strictEqual(signal, "SIGKILL")
        assert.isDefined(place.postmaster(), "the database lives on")
        server = await place.serve()
      }

      const trips = await everyTrip(account, server)
      const byId = new Map(trips.map((found) => [found.trip_id, found]))
      for (const booked of acknowledged) assert.deepStrictEqual(byId.get(booked.trip_id), booked)
      const names = trips.map(({ customer_name }) => customer_name)
      assert.strictEqual(new Set(names).size, names.length, "none twice")
      for (const name of names) assert.isTrue(asked.has(name), `${name} was not booked`)

      await expireClaims(place)
      const reported = () => new Map(ears.notices.map(({ event }) => [event.id, event.data]))
      await vi
        .waitUntil(() => reported().size >= trips.length, { timeout: 60_000, interval: 20 })
        .catch(() => undefined)
      const byNumber = (one: number, other: number) => one - other
      const reportedIds = [...reported().values()].map(({ trip_id }) => Number(trip_id)).sort(byNumber)
      assert.deepStrictEqual(
        reportedIds,
        [...byId.keys()].sort(byNumber),
        "one event for each trip, and no other"
      )
      for (const data of reported().values())
        assert.deepStrictEqual(data, { ...byId.get(Number(data["trip_id"])) })
      const [most] = await query(place, "select max(attempt)::int as attempt from webhook_deliveries")
      assert.isAtMost(Number(most?.["attempt"]), 6)
    }
  )
})

describe("killed during its first start", () => {
  const isThere = (name: RegExp) => (place: Installation) =>
    existsSync(place.directory) && readdirSync(place.directory).some((entry) => name.test(entry))

  it.for([
    ["its directory is made", ({ directory }: Installation) => existsSync(directory)],
    ["its cluster is being made", isThere(/^postgres\.new-/u)],
    ["its cluster is in place", ({ directory }: Installation) => existsSync(join(directory, "postgres"))],
    ["its PostgreSQL runs", (place: Installation) => place.postmaster() !== undefined]
  ] as const)("the next start succeeds: %s", async ([, isSo]) => {
    const place = await installation({ embedded: "absent" })
    try {
      const first = place.launch(["serve"])
      await vi.waitUntil(() => isSo(place), { timeout: 60_000, interval: 1 })
      first.signal("SIGKILL")
      await first.ended
      const server = await place.serve()
      assert.strictEqual((await clientOf(server.address).get("/health/ready")).status, 200)
      assert.include(server.program.stdout(), "lvk_", "it is still the first start")
      assert.strictEqual((await server.stop()).code, 0)
      assert.isUndefined(place.postmaster())
    } finally {
      await place.remove()
    }
  })
})
