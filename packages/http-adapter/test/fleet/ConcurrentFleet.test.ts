import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer } from "../support/TestServer.ts"

/** Random numbers, the same in each run. */
const dice = (seed: number) => {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

layer(Ports)("a busy business", (it) => {
  it.effect(
    "books, assigns, changes and deletes concurrently: no request fails or deadlocks, and no open trip refers to a deleted record",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const sql = yield* SqlClient.SqlClient
        const { businessId, car, customer, driver, send, trip } = yield* company(server)
        const roll = dice(7)
        const idsOf = (records: ReadonlyArray<Readonly<Record<string, unknown>>>, field: string) =>
          records.map((record) => String(record[field]))
        for (let round = 0; round < 6; round++) {
          const emails = [0, 1, 2].map((number) => `c${round}${number}@example.com`)
          const cars = idsOf(yield* Effect.replicateEffect(car(), 3), "car_id")
          const drivers = idsOf(
            yield* Effect.forEach(cars, (id) => driver({ default_car_id: Number(id) })),
            "driver_id"
          )
          const customers = idsOf(
            yield* Effect.forEach(emails, (email) => customer({ email })),
            "customer_id"
          )
          const trips = idsOf(
            yield* Effect.forEach(emails, (customer_email, index) =>
              trip({ customer_email, car_id: Number(cars[index]) })
            ),
            "trip_id"
          )
          const one = (of: ReadonlyArray<string>) => of[roll(of.length)] ?? ""
          const some = (of: ReadonlyArray<string>) => of.filter(() => roll(2) === 1).map(Number)
          const force = { force: true }
          const moves = [
            () => send("DELETE", `/cars/${one(cars)}`, force),
            () => send("DELETE", `/drivers/${one(drivers)}`, force),
            () => send("DELETE", `/customers/${one(customers)}`, force),
            () =>
              send("PATCH", `/drivers/${one(drivers)}`, { default_car_id: Number(one(cars)), active: true }),
            () => send("PATCH", `/drivers/${one(drivers)}`, { active: false }),
            () => send("PATCH", `/customers/${one(customers)}`, { email: one(emails) }),
            () => send("PATCH", `/cars/${one(cars)}`, { active: roll(2) === 1 }),
            () => send("POST", `/trips/${one(trips)}/drivers`, { driver_ids: some(drivers) }),
            () =>
              send("POST", `/trips/${one(trips)}/drivers`, {
                assignments: some(drivers).map((driver_id) => ({ driver_id, car_id: Number(one(cars)) }))
              }),
            () => send("PATCH", `/trips/${one(trips)}`, { car_id: null }),
            () =>
              send("PATCH", `/trips/${one(trips)}`, {
                car_id: Number(one(cars)),
                customer_email: one(emails)
              }),
            () => send("DELETE", `/trips/${one(trips)}`, force)
          ]
          const asked = Array.from({ length: 40 }, () => moves[roll(moves.length)] ?? moves[0])
          const answers = yield* Effect.forEach(asked, (move) => move?.() ?? Effect.die("no move"), {
            concurrency: "unbounded"
          })
          for (const { fault, status, text } of answers) assert.isBelow(status, 500, fault ?? text)
        }
        const stale = yield* sql`
          SELECT t.trip_id FROM trips t
          LEFT JOIN cars c USING (business_id, car_id)
          LEFT JOIN customers u USING (business_id, customer_id)
          WHERE t.business_id = ${businessId} AND t.deleted_at IS NULL AND t.status IN ('confirmed', 'in_progress')
            AND (c.deleted_at IS NOT NULL OR u.deleted_at IS NOT NULL)`
        assert.isEmpty(stale)
        assert.isEmpty(
          yield* sql`
          SELECT FROM assignments a JOIN drivers d USING (business_id, driver_id)
          WHERE a.business_id = ${businessId} AND a.status IN ('assigned', 'en_route') AND d.deleted_at IS NOT NULL`
        )
        assert.isEmpty(
          yield* sql`
          SELECT FROM assignments a JOIN cars c USING (business_id, car_id)
          WHERE a.business_id = ${businessId} AND a.status IN ('assigned', 'en_route') AND c.deleted_at IS NOT NULL`
        )
        assert.isEmpty(
          yield* sql`
          SELECT FROM drivers d JOIN cars c ON c.business_id = d.business_id AND c.car_id = d.default_car_id
          WHERE d.business_id = ${businessId} AND c.deleted_at IS NOT NULL`
        )
      })
  )
})
