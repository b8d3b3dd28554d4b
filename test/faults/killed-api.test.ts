import type { TripRecord } from "@livery/domain"
import { randomInt } from "node:crypto"
import { assert, it } from "vitest"
import { trip } from "../support/Account.ts"
import { query } from "../support/DatabaseRows.ts"
import { extent } from "./support/Extent.ts"
import { office, until } from "./support/Office.ts"

const rounds = extent(100, 3)
const clients = 8

it(
  `the API killed at ${rounds} random moments under load: every committed trip has its deliveries, no other has`,
  { timeout: 60_000 + rounds * 10_000 },
  async () => {
    const here = await office()
    try {
      const hearing = [
        await here.subscribe(["trip.created"]),
        await here.subscribe(["trip.updated", "trip.created"])
      ]
      await here.subscribe(["trip.updated"])
      await here.subscribe(["trip.created"], here.other)
      here.dispatcher()
      const acknowledged = new Set<number>()
      let unanswered = 0

      /** Books until the API is gone. */
      const bookOn = async (left: () => void) => {
        const client = here.account.through(here.api())
        for (;;) {
          const answer = await client.post<TripRecord>("/trips", trip()).catch(() => undefined)
          if (answer === undefined) {
            unanswered += 1
            return
          }
          assert.strictEqual(answer.status, 201, answer.text)
          acknowledged.add(answer.body.data.trip_id)
          left()
        }
      }

      for (let round = 1; round <= rounds; round++) {
        const { program } = here.api()
        let left = randomInt(1, 100)
        // As one is answered, the other requests are anywhere between their statements.
        const count = () => {
          left -= 1
          if (left === 0) program.signal("SIGKILL")
        }
        await Promise.all(Array.from({ length: clients }, () => bookOn(count)))
        assert.strictEqual((await program.ended).signal, "SIGKILL")
        await here.reopen()
      }

      // What was under way when the API died is committed or not by now: its connections are gone.
      await until(
        async () =>
          (
            await here.one(
              "select count(*)::int as open from pg_stat_activity where xact_start < now() and datname = current_database()"
            )
          )["open"] === 0
      )
      const trips = (await query(here.place, "select trip_id from trips order by trip_id")).map(
        ({ trip_id }) => Number(trip_id)
      )
      const committed = new Set(trips)
      for (const id of acknowledged) assert.isTrue(committed.has(id), `trip ${id} was acknowledged`)
      assert.isAtMost(trips.length - acknowledged.size, unanswered)

      const events = await query(
        here.place,
        "select (body::jsonb -> 'data' ->> 'trip_id')::int as trip from events order by 1"
      )
      assert.deepStrictEqual(
        events.map((row) => row["trip"]),
        trips,
        "one event for each trip, none without"
      )
      const deliveries = await query(
        here.place,
        `select (body::jsonb -> 'data' ->> 'trip_id')::int as trip,
           array_agg(endpoint_id::int order by endpoint_id) as endpoints
         from webhook_deliveries join events using (business_id, event_id) group by 1 order by 1`
      )
      assert.deepStrictEqual(
        deliveries,
        trips.map((id) => ({ trip: id, endpoints: hearing })),
        "each for those that subscribed, and for no other"
      )
      await until(() => here.receiver.notices.length >= trips.length * hearing.length, 60)
      const reported = Map.groupBy(here.receiver.notices, ({ event }) => Number(event.data["trip_id"]))
      assert.deepStrictEqual(
        [...reported.keys()].sort((one, other) => one - other),
        trips
      )
      for (const [id, notices] of reported) assert.strictEqual(notices.length, hearing.length, `trip ${id}`)
      process.stdout.write(
        `${rounds} kills, ${trips.length} trips, ${trips.length - acknowledged.size} of them never answered\n`
      )
    } finally {
      await here.close()
    }
  }
)
