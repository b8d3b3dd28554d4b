/** Drivers and their jobs, over HTTP. */
import { BusinessId, Cryptography, DriverRepository, UserId } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { driverProfile } from "../../../../test/contract/Given.ts"
import { expireCredentials } from "./TestPorts.ts"
import { leaveBusinesses, makeDriver, operator } from "./People.ts"
import type { TestServer } from "./TestServer.ts"

let jobs = 0

/** Adds a driver to a business, with an account to sign in with if `userId` is given. */
export const employ = Effect.fnUntraced(function* (businessId: number, userId: number | null = null) {
  const drivers = yield* DriverRepository
  const [id, now] = [BusinessId.make(businessId), yield* DateTime.now]
  const { driver_id } = yield* drivers.insert(
    id,
    driverProfile({ name: "Joan", phone: "+41 79 000 00 00" }),
    now
  )
  if (userId !== null) yield* drivers.linkAccount(id, driver_id, UserId.make(userId), now)
  return Number(driver_id)
})

/** A driver's account that drives for these businesses. */
export const driverOf = Effect.fnUntraced(function* (
  server: TestServer,
  ...businessIds: ReadonlyArray<number>
) {
  const person = yield* operator(server)
  yield* leaveBusinesses(person.userId)
  const driverIds: Array<number> = []
  for (const businessId of businessIds) driverIds.push(yield* employ(businessId, person.userId))
  yield* makeDriver(person.userId)
  return { ...person, driverIds, driverId: driverIds[0] ?? 0 }
})

/** The default fields of a job. Its pickup is an hour after the tests begin. */
export interface Job {
  readonly driverId?: number
  readonly tripId?: number
  readonly status?: "assigned" | "en_route" | "completed" | "cancelled"
  readonly pickup?: string
}

/** Stores a trip with a price and an email and its assignment to a driver. Returns their ids and the driver's token. */
export const assignment = Effect.fnUntraced(function* (businessId: number, job: Job = {}) {
  const sql = yield* SqlClient.SqlClient
  const cryptography = yield* Cryptography
  const { pickup = "2026-11-20T10:30:00Z", status = "assigned" } = job
  const number = (jobs += 1)
  const driverId = job.driverId ?? (yield* employ(businessId))
  const tripStatus =
    status === "en_route" ? "in_progress" : status === "completed" ? "completed" : "confirmed"
  const driverStatus = status === "cancelled" ? "unassigned" : status
  const [trip] =
    job.tripId !== undefined
      ? [{ trip_id: job.tripId }]
      : yield* sql<{ readonly trip_id: number }>`
    INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
      pickup_address, dropoff_address, customer_name, customer_email, customer_phone, total_minor, currency,
      created_at, updated_at)
    VALUES (${businessId}, ${`TR-JOB${number}`}, ${tripStatus}, ${driverStatus}, 'unpaid', 'transfer', ${pickup},
      'Here', 'There', 'Ada', 'ada@example.com', '+41 44 000 00 00', 12950, 'USD', now(), now())
    RETURNING trip_id`
  const tripId = trip?.trip_id ?? 0
  const token = `drv_${businessId}_${String(number).padStart(43, "0")}`
  const live = status === "assigned" || status === "en_route"
  const [row] = yield* sql<{ readonly assignment_id: number }>`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, token_hash, created_at,
      en_route_at)
    VALUES (${businessId}, ${tripId}, ${driverId}, ${status}, ${pickup}, ${pickup}::timestamptz + interval '1 hour',
      ${live ? yield* cryptography.sha256(token) : null}, now(),
      CASE WHEN ${status} = 'en_route' THEN ${pickup}::timestamptz - interval '2 hours' END)
    RETURNING assignment_id`
  yield* expireCredentials
  return { driverId, tripId, token, assignmentId: row?.assignment_id ?? 0 }
})
