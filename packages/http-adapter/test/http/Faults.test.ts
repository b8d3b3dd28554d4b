import { Transaction, TripRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Ports } from "../support/TestPorts.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import { business } from "../support/People.ts"
import { openServer, refusedAs } from "../support/TestServer.ts"

const trip = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

/** A cause whose text must occur in the log, and nowhere else. */
class Unheard extends Error {
  override readonly message = "the cellar is flooded, SELECT * FROM secrets"
}

const flooded = () => Effect.die(new Unheard())

const dead = TripRepository.of({
  insert: flooded,
  insertAll: flooded,
  find: flooded,
  lock: flooded,
  lockAll: flooded,
  update: flooded,
  updateAll: flooded,
  setCustomer: flooded,
  setInvoice: flooded,
  tripsWithoutCustomer: flooded,
  openTripsOfCar: flooded,
  openTripsOfGroup: flooded,
  endedTripsOfGroup: flooded,
  openTripsOfCustomer: flooded
})

layer(Ports)("a fault", (it) => {
  it.effect("is 500 without its cause; the log has the cause under the same request id", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const { lines } = yield* CapturedLog
      const server = yield* openServer().pipe(Effect.provideService(TripRepository, dead))
      for (const answer of [
        yield* server.send("GET", "/trips/1", { credential: key }),
        yield* server.send("POST", "/trips", { credential: key, body: trip })
      ]) {
        assert.isUndefined(refusedAs(answer, 500, "server_error"))
        assert.notMatch(answer.text, /cellar|flooded|SELECT|Unheard|Error:|\bat\b.*\.ts/u)
        const id = answer.headers.get("x-request-id") ?? "none"
        const reported = lines.filter((line) => line.includes(id))
        assert.isTrue(
          reported.some((line) => line.includes("ERROR") && line.includes("the cellar is flooded"))
        )
        assert.lengthOf(
          reported.filter((line) => line.includes('"status":500')),
          1
        )
      }
    })
  )

  it.effect("after a write undoes the write", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const trips = yield* TripRepository
      const { businessId, key } = yield* business(yield* openServer())
      const server = yield* openServer().pipe(
        Effect.provideService(TripRepository, {
          ...trips,
          insert: (...trip) => Effect.andThen(trips.insert(...trip), Effect.die(new Unheard()))
        })
      )
      // A trip that refers to a customer is stored by several statements.
      const body = { ...trip, customer_email: "ada@example.com" }
      refusedAs(yield* server.send("POST", "/trips", { credential: key, body }), 500, "server_error")
      assert.deepStrictEqual(yield* sql`SELECT FROM trips WHERE business_id = ${businessId}`, [])
    })
  )

  it.effect("of the commit is 500 as well", () =>
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(yield* openServer())
      const server = yield* openServer().pipe(
        Effect.provideService(Transaction, {
          ...transaction,
          // The code ignores a failed statement: PostgreSQL then refuses the commit.
          run: (work) => transaction.run(Effect.tap(work, () => Effect.ignore(sql`SELECT 1 / 0`)))
        })
      )
      refusedAs(yield* server.send("POST", "/trips", { credential: key, body: trip }), 500, "server_error")
      assert.deepStrictEqual(yield* sql`SELECT FROM trips WHERE business_id = ${businessId}`, [])
      assert.deepStrictEqual(yield* sql`SELECT FROM events WHERE business_id = ${businessId}`, [])
    })
  )

  it.effect("after the commit does not claim that nothing was saved", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const trips = yield* TripRepository
      const { businessId, key } = yield* business(yield* openServer())
      // A stop in the response is an object.
      const unfit = <A extends object>(trip: A): A => ({ ...trip, stops: [5] })
      const server = yield* openServer().pipe(
        Effect.provideService(TripRepository, {
          ...trips,
          insert: (...trip) =>
            Effect.map(
              trips.insert(...trip),
              Option.map((stored) => ({ ...stored, trip: unfit(stored.trip) }))
            ),
          find: (...trip) => Effect.map(trips.find(...trip), Option.map(unfit))
        })
      )
      const stored = sql<{ trip_id: number }>`SELECT trip_id FROM trips WHERE business_id = ${businessId}`
      const created = yield* server.send("POST", "/trips", { credential: key, body: trip })
      assert.isUndefined(refusedAs(created, 500, "server_error"))
      const [{ trip_id } = { trip_id: 0 }] = yield* stored
      assert.isAbove(trip_id, 0)
      assert.include(created.body.error?.message, "unknown whether the change was saved")
      assert.notInclude(created.body.error?.message, "safe")
      // A read changes nothing, so it can be repeated.
      const read = yield* server.send("GET", `/trips/${trip_id}`, { credential: key })
      assert.isUndefined(refusedAs(read, 500, "server_error"))
      assert.include(read.body.error?.message, "safe to try again")
    })
  )

  it.effect("of one request does not affect the next", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const server = yield* openServer().pipe(Effect.provideService(TripRepository, dead))
      refusedAs(yield* server.send("GET", "/trips/1", { credential: key }), 500, "server_error")
      assert.strictEqual((yield* server.send("GET", "/ping", { credential: key })).status, 200)
    })
  )
})

layer(Ports)("a refusal", (it) => {
  it.effect("is logged once, with its caller, and not as an error", () =>
    Effect.gen(function* () {
      const { lines } = yield* CapturedLog
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const answer = yield* server.send("GET", "/trips/1?token=private", { credential: key })
      const received = lines.filter((line) => line.includes(answer.headers.get("x-request-id") ?? "none"))
      assert.lengthOf(received, 1)
      const line: { readonly level: string; readonly message: ReadonlyArray<unknown> } = JSON.parse(
        received[0] ?? "{}"
      )
      assert.strictEqual(line.level, "INFO")
      assert.deepInclude(line.message[1], {
        method: "GET",
        path: "/api/v1/trips/1",
        status: 404,
        business_id: businessId
      })
    })
  )
})
