/** A business over HTTP, with drivers and trips of its own. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { business } from "./People.ts"
import { type Ask, record, type TestServer } from "./TestServer.ts"

/** Adds a driver to a business, without the plan's limit. */
export const newDriver = Effect.fnUntraced(function* (businessId: number, name = "Grace") {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ driver_id: number }>`
    INSERT INTO drivers (business_id, name, created_at, updated_at) VALUES (${businessId}, ${name}, now(), now())
    RETURNING driver_id`
  return row?.driver_id ?? 0
})

/** The body of a booking. */
const booking = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

/** A business with two drivers, and functions that send its requests. */
export const dispatcher = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, key, token, userId } = yield* business(server)
  const send = (method: string, path: string, body?: unknown, headers?: Ask["headers"]) =>
    server.send(method, path, {
      credential: key,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers })
    })
  const sql = yield* SqlClient.SqlClient
  const book = (change: object = {}) =>
    Effect.map(send("POST", "/trips", { ...booking, ...change }), (answer) =>
      Number(record(answer)["trip_id"])
    )
  return {
    businessId,
    key,
    token,
    userId,
    send,
    book,
    drivers: [yield* newDriver(businessId), yield* newDriver(businessId, "Ada")] as const,
    /** The types of the events since the last call, the oldest first. */
    newEvents: Effect.map(
      sql<{ readonly event_type: string }>`
        WITH asked AS (DELETE FROM events WHERE business_id = ${businessId} RETURNING event_type, sequence)
        SELECT event_type FROM asked ORDER BY sequence`,
      (rows) => rows.map(({ event_type }) => event_type)
    )
  }
})
