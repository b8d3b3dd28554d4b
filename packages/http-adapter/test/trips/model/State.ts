/** The state of a business in the database and in the model, in the same form. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { activeOf, allowance, driverStatus, inOrder, isLive, type Resource, type Model } from "./Model.ts"
import type { Reported } from "./Command.ts"

/** The ids of the created records, in the order of their creation. */
export interface Made {
  readonly trips: Array<number>
  readonly drivers: Array<number>
  readonly cars: Array<number>
}

/** The start of slot 0. */
const epoch = Date.parse("2026-12-01T08:00:00Z")

export const timeOf = (slot: number): string => new Date(epoch + slot * 1_800_000).toISOString()
const slotOf = (time: Date) => (time.getTime() - epoch) / 1_800_000

const expectedResource = ({ active, gone }: Resource) => (gone ? "gone" : active ? "active" : "at rest")

/** The state in the model. */
export const expectedState = ({ cars, drivers, policy, trips }: Model) => ({
  policy,
  seats: Math.max(0, activeOf(drivers) - allowance.drivers),
  drivers: drivers.map(expectedResource),
  cars: cars.map(expectedResource),
  trips: trips.map((trip) => ({
    ...trip,
    driver_status: driverStatus(trip.parts),
    parts: trip.parts.map((part) => ({
      ...part,
      milestones: [...part.milestones].sort(),
      hasToken: isLive(part)
    }))
  }))
})

interface TripRow {
  readonly trip_id: number
  readonly status: string
  readonly driver_status: string
  readonly deleted: boolean
  readonly trip_date: Date
  readonly minutes: number | null
  readonly car_id: number | null
  readonly customer: string
  readonly notes: string | null
  readonly total_minor: number | null
  readonly reason: string | null
  readonly fee_minor: number | null
}

interface PartRow {
  readonly trip_id: number
  readonly driver_id: number
  readonly status: string
  readonly has_token: boolean
  readonly milestones: ReadonlyArray<string>
}

const major = (minor: number | null) => (minor === null ? null : minor / 100)

const resources = (
  ids: ReadonlyArray<number>,
  rows: ReadonlyArray<{ readonly id: number; readonly active: boolean }>
) => {
  const living = new Map(rows.map(({ active, id }) => [id, active]))
  return ids.map((id) => {
    const active = living.get(id)
    return active === undefined ? "gone" : active ? "active" : "at rest"
  })
}

/** The state in the database. */
export const storedState = Effect.fnUntraced(function* (businessId: number, made: Made) {
  const sql = yield* SqlClient.SqlClient
  const placeOf = (ids: ReadonlyArray<number>, id: number | null) => (id === null ? null : ids.indexOf(id))
  const [business] = yield* sql<{ policy: string; seats: number }>`
    SELECT clash_policy AS policy, (
      SELECT count(*)::int FROM driver_seats s WHERE s.business_id = ${businessId} AND s.ended_at IS NULL) AS seats
    FROM businesses WHERE business_id = ${businessId}`
  const drivers = yield* sql<{ id: number; active: boolean }>`
    SELECT driver_id AS id, active FROM drivers WHERE business_id = ${businessId} AND deleted_at IS NULL`
  const cars = yield* sql<{ id: number; active: boolean }>`
    SELECT car_id AS id, active FROM cars WHERE business_id = ${businessId} AND deleted_at IS NULL`
  const trips = yield* sql<TripRow>`
    SELECT trip_id, status, driver_status, deleted_at IS NOT NULL AS deleted, trip_date, duration_minutes AS minutes,
           car_id, customer_name AS customer, notes, total_minor, cancel_reason AS reason,
           cancellation_fee_minor AS fee_minor
    FROM trips WHERE business_id = ${businessId}`
  const parts = yield* sql<PartRow>`
    SELECT trip_id, driver_id, status, token_hash IS NOT NULL AS has_token, (
      SELECT coalesce(array_agg(milestone ORDER BY milestone), '{}') FROM assignment_milestones m
      WHERE m.business_id = a.business_id AND m.assignment_id = a.assignment_id) AS milestones
    FROM assignments a WHERE business_id = ${businessId} ORDER BY assignment_id`
  return {
    policy: business?.policy,
    seats: business?.seats,
    drivers: resources(made.drivers, drivers),
    cars: resources(made.cars, cars),
    // In the order in which they were made: a trip that is stored by SQL takes an id behind the ids that a server has drawn.
    trips: trips
      .toSorted((one, other) => made.trips.indexOf(one.trip_id) - made.trips.indexOf(other.trip_id))
      .map(({ car_id, fee_minor, total_minor, trip_date, trip_id, ...trip }) => ({
        ...trip,
        slot: slotOf(trip_date),
        car: placeOf(made.cars, car_id),
        amount: major(total_minor),
        fee: major(fee_minor),
        parts: parts
          .filter((part) => part.trip_id === trip_id)
          .map(({ driver_id, has_token, milestones, status }) => ({
            driver: placeOf(made.drivers, driver_id),
            status,
            milestones,
            hasToken: has_token
          }))
      }))
  }
})

interface EventRow {
  readonly event_type: string
  readonly body: string
}

/** The events of a business after the first `after` ones, in the form of the model. */
export const eventsSince = Effect.fnUntraced(function* (businessId: number, after: number, made: Made) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<EventRow>`
    SELECT event_type, body FROM events WHERE business_id = ${businessId} ORDER BY sequence OFFSET ${after}`
  return rows.map(({ body, event_type }): Reported => {
    const { data } = JSON.parse(body) as { readonly data: Readonly<Record<string, unknown>> }
    const trip = made.trips.indexOf(Number(data["trip_id"]))
    switch (event_type) {
      case "trip.updated":
        return `${event_type} ${trip} ${String(data["status"])}`
      case "driver.assigned": {
        const ids = data["driver_ids"] as ReadonlyArray<number>
        return `${event_type} ${trip} [${inOrder(ids.map((id) => made.drivers.indexOf(id)))}]`
      }
      default:
        return `${event_type} ${trip}`
    }
  })
})
