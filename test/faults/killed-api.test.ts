import type { TripRecord } from "@livery/domain"
import { randomInt } from "node:crypto"
import { assert, it } from "vitest"
import { trip } from "../support/Account.ts"
import { query } from "../support/DatabaseRows.ts"
import { extent } from "./support/Extent.ts"
import { deploy, until } from "./support/Deployment.ts"

const rounds = extent(100, 3)
const clients = 8

it(
  `an API killed at ${rounds} random moments under load: every committed trip has its deliveries, and there are no others`,
  { timeout: 60_000 + rounds * 10_000 },
  async () => {
    const deployment = await deploy()
    try {
      const subscribed = [
        await deployment.subscribe(["trip.created"]),
        await deployment.subscribe(["trip.updated", "trip.created"])
      ]
      await deployment.subscribe(["trip.updated"])
      await deployment.subscribe(["trip.created"], deployment.other)
      deployment.startDispatcher()
      const acknowledged = new Set<number>()
      let unanswered = 0

      /** Books until the API is killed. */
      const bookOn = async (booked: () => void) => {
        const client = deployment.account.through(deployment.api())
        for (;;) {
          const answer = await client.post<TripRecord>("/trips", trip()).catch(() => undefined)
          if (answer === undefined) {
            unanswered += 1
            return
          }
          assert.strictEqual(answer.status, 201, answer.text)
          acknowledged.add(answer.body.data.trip_id)
          booked()
        }
      }

      for (let round = 1; round <= rounds; round++) {
        const { program } = deployment.api()
        let left = randomInt(1, 100)
        // While one request is answered, the others are at any of their statements.
        const count = () => {
          left -= 1
          if (left === 0) program.signal("SIGKILL")
        }
        await Promise.all(Array.from({ length: clients }, () => bookOn(count)))
        assert.strictEqual((await program.ended).signal, "SIGKILL")
        await deployment.restartApi()
      }

      // The transactions of the killed process have ended once its connections are closed.
      await until(
        async () =>
          (
            await deployment.row(
              "select count(*)::int as open from pg_stat_activity where xact_start < now() and datname = current_database()"
            )
          )["open"] === 0
      )
      const trips = (await query(deployment.installation, "select trip_id from trips order by trip_id")).map(
        ({ trip_id }) => Number(trip_id)
      )
      const committed = new Set(trips)
      for (const id of acknowledged) assert.isTrue(committed.has(id), `trip ${id} was acknowledged`)
      assert.isAtMost(trips.length - acknowledged.size, unanswered)

      const events = await query(
        deployment.installation,
        "select (body::jsonb -> 'data' ->> 'trip_id')::int as trip from events order by 1"
      )
      assert.deepStrictEqual(
        events.map((row) => row["trip"]),
        trips,
        "one event for each trip, and no others"
      )
      const deliveries = await query(
        deployment.installation,
        `select (body::jsonb -> 'data' ->> 'trip_id')::int as trip,
           array_agg(endpoint_id::int order by endpoint_id) as endpoints
         from webhook_deliveries join events using (business_id, event_id) group by 1 order by 1`
      )
      assert.deepStrictEqual(
        deliveries,
        trips.map((id) => ({ trip: id, endpoints: subscribed })),
        "one delivery for each subscribed endpoint, and no others"
      )
      await until(() => deployment.receiver.notices.length >= trips.length * subscribed.length, 60)
      const reported = Map.groupBy(deployment.receiver.notices, ({ event }) => Number(event.data["trip_id"]))
      assert.deepStrictEqual(
        [...reported.keys()].sort((one, other) => one - other),
        trips
      )
      for (const [id, notices] of reported)
        assert.strictEqual(notices.length, subscribed.length, `trip ${id}`)
      process.stdout.write(
        `${rounds} kills, ${trips.length} trips, ${trips.length - acknowledged.size} of them never answered\n`
      )
    } finally {
      await deployment.close()
    }
  }
)
