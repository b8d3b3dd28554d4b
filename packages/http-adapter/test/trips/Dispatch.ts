/** A business that dispatches trips with drivers and cars. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company } from "../support/Fleet.ts"
import { record, type TestServer } from "../support/TestServer.ts"

/** A clash policy. */
export type Policy = "off" | "warn" | "enforce"

/** A business with that policy, and functions that make and read its trips, drivers and cars by number. */
export const dispatch = Effect.fnUntraced(function* (server: TestServer, clash_policy: Policy = "warn") {
  const it = yield* company(server)
  record(yield* it.send("PATCH", "/settings/business", { clash_policy }))
  const sql = yield* SqlClient.SqlClient
  const newTrip = (at: string, body: object = {}) =>
    Effect.map(it.trip({ trip_date: `2026-12-24T${at}:00Z`, ...body }), ({ trip_id }) => Number(trip_id))
  const newDriver = (default_car_id: number | null = null) =>
    Effect.map(it.driver({ default_car_id }), ({ driver_id }) => Number(driver_id))
  const newCar = (body: object = {}) => Effect.map(it.car(body), ({ car_id }) => Number(car_id))
  const trip = (tripId: number) => Effect.map(it.send("GET", `/trips/${tripId}`), record)
  const assign = (tripId: number, assignments: unknown, more: object = {}) =>
    it.send("POST", `/trips/${tripId}/drivers`, { assignments, ...more })
  /** The cars of a trip's drivers who are not cancelled, in order. */
  const carsOf = (tripId: number) =>
    Effect.map(trip(tripId), ({ drivers }) =>
      (drivers as ReadonlyArray<{ car_id: number | null; status: string }>)
        .filter(({ status }) => status !== "cancelled")
        .map(({ car_id }) => car_id)
    )
  const eventsOf = (tripId: number) =>
    Effect.map(
      sql<{ type: string; data: Readonly<Record<string, unknown>> }>`
        SELECT event_type AS type, body::jsonb->'data' AS data FROM events
        WHERE business_id = ${it.businessId} AND (body::jsonb->'data'->>'trip_id')::int = ${tripId}
          AND event_type <> 'trip.created' ORDER BY sequence`,
      (rows) => rows
    )
  return { ...it, sql, newTrip, newDriver, newCar, trip, assign, carsOf, eventsOf }
})
