/** Rows of drivers under way, and their reports. */
import {
  AssignmentId,
  type BusinessId,
  DriverId,
  type LocationReport,
  type Position,
  TripId
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, unique } from "../support/TestPersistence.ts"

/** A driver of a business, without an account by default. */
export const newDriver = Effect.fnUntraced(function* (businessId: BusinessId, userId: number | null = null) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly driver_id: number }>`
    INSERT INTO drivers (business_id, name, user_id, created_at, updated_at)
    VALUES (${businessId}, ${unique("Joan")}, ${userId}, now(), now()) RETURNING driver_id`
  return DriverId.make(row?.driver_id ?? 0)
})

export interface NewJob {
  readonly driverId?: DriverId
  readonly tripId?: TripId
  readonly status?: "assigned" | "en_route" | "completed" | "cancelled"
  readonly pickup?: DateTime.Utc
  readonly tokenHash?: string
  readonly carId?: number
}

/** A trip of a business. */
export const newTrip = Effect.fnUntraced(function* (
  businessId: BusinessId,
  {
    carId = null,
    pickup = at("10:30:00")
  }: { readonly carId?: number | null; readonly pickup?: DateTime.Utc } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const [trip] = yield* sql<{ readonly trip_id: number }>`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, customer_email, total_minor, currency, car_id, created_at, updated_at)
    VALUES (${businessId}, ${unique("TR")}, 'confirmed', 'unpaid', 'transfer', ${DateTime.toDateUtc(pickup)}, 'Here',
      'There', 'Ada', 'ada@example.com', 12950, 'USD', ${carId}, now(), now()) RETURNING trip_id`
  return TripId.make(trip?.trip_id ?? 0)
})

/** The time at which the drivers under way have set out. */
const setOut = at("09:00:00")

/** An assignment, an hour long, `en_route` by default. */
export const newJob = Effect.fnUntraced(function* (businessId: BusinessId, job: NewJob = {}) {
  const sql = yield* SqlClient.SqlClient
  const { pickup = at("10:30:00"), status = "en_route", tokenHash = null } = job
  const driverId = job.driverId ?? (yield* newDriver(businessId))
  const tripId = job.tripId ?? (yield* newTrip(businessId, { pickup, carId: job.carId ?? null }))
  const [row] = yield* sql<{ readonly assignment_id: number }>`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, token_hash, created_at,
      en_route_at)
    VALUES (${businessId}, ${tripId}, ${driverId}, ${status}, ${DateTime.toDateUtc(pickup)},
      ${DateTime.toDateUtc(DateTime.add(pickup, { hours: 1 }))}, ${tokenHash}, now(),
      ${status === "en_route" ? DateTime.toDateUtc(setOut) : null})
    RETURNING assignment_id`
  return { businessId, driverId, tripId, assignmentId: AssignmentId.make(row?.assignment_id ?? 0) }
})

export type OpenJob = Effect.Success<ReturnType<typeof newJob>>

/** Sets the status of an assignment. */
export const setJob = Effect.fnUntraced(function* (
  { assignmentId }: Pick<OpenJob, "assignmentId">,
  status: "assigned" | "en_route" | "completed" | "cancelled"
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE assignments SET status = ${status}, token_hash = NULL WHERE assignment_id = ${assignmentId}`
})

/** A position that was measured that many seconds after nine, at that latitude. */
export const measured = (second: number, lat = second / 1000): Position => ({
  lat,
  lng: 8.5,
  accuracy: 5,
  heading: null,
  speed: 13.5,
  recorded_at: DateTime.add(at("09:00:00"), { seconds: second })
})

/** A report of a driver, optionally for one assignment only and with a token. */
export const report = (
  { businessId, driverId }: Pick<OpenJob, "businessId" | "driverId">,
  positions: ReadonlyArray<Position>,
  assignmentId: AssignmentId | null = null,
  tokenHash: string | null = null
): LocationReport => ({
  reporter: {
    business_id: businessId,
    driver_id: driverId,
    assignment_id: assignmentId,
    token_hash: tokenHash
  },
  positions
})
