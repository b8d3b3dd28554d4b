/** Lists of trips and of records that belong to trips. The rows are made in SQL. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { driverOf, employ } from "./Drivers.ts"
import { company } from "./Fleet.ts"
import { type Ids, type TestList, names, set, reorderOnDisk } from "./Listed.ts"
import type { TestServer } from "./TestServer.ts"

interface TripRow {
  readonly id: number
  readonly key: number
  readonly status: string
  readonly day: string
  readonly gone: boolean
}

let batches = 0

/** The pickup time of a key: 05:15 plus that many hours. */
const pickup = (key: string) => `'2026-11-20T05:15:00Z'::timestamptz + make_interval(hours => ${key})`

/** Makes trips. Every fourth is `days` later. */
const book = Effect.fnUntraced(function* (businessId: number, keys: Ids, customerId?: number, days = 0) {
  const sql = yield* SqlClient.SqlClient
  const made = yield* sql<TripRow>`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, currency, customer_id, created_at, updated_at, deleted_at)
    SELECT ${businessId}, ${`L${(batches += 1)}-`} || n,
           (ARRAY['pending', 'confirmed', 'in_progress', 'completed', 'cancelled'])[1 + n::int % 5], 'unpaid',
           'transfer', ${sql.literal(pickup("key"))} + make_interval(days => ${days}::int * (n % 4 = 0)::int),
           'Here', 'There', 'Ada', 'USD', ${customerId ?? null}, now(), now(), CASE WHEN n % 11 = 0 THEN now() END
    FROM unnest(${keys}::int[]) WITH ORDINALITY AS k (key, n)
    RETURNING trip_id AS id, status, deleted_at IS NOT NULL AS gone,
              extract(hour FROM trip_date AT TIME ZONE 'UTC')::int - 5
                + 24 * ((trip_date AT TIME ZONE 'UTC')::date - DATE '2026-11-20') AS key,
              to_char(trip_date AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`
  yield* reorderOnDisk("trips", "trip_id")
  return made
})

interface Part {
  readonly id: number
  readonly trip: number
  readonly driver: number
  readonly status: string
  readonly ahead: boolean
}

/**
 * Makes an assignment for each trip, in descending order of trips, and for some trips a cancelled one before it. Those of
 * a deleted trip are cancelled, as its deletion leaves them.
 * Returns the last assignment of each trip.
 */
const assign = Effect.fnUntraced(function* (trips: Ids, drivers: Ids, statuses: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const give = (status: string, which: string) => sql<Part>`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id, driver,
      CASE WHEN deleted_at IS NULL THEN ${sql.literal(status)} ELSE 'cancelled' END, trip_date, trip_date + interval '1 hour', now()
    FROM trips JOIN unnest(${trips}::bigint[], ${drivers}::bigint[]) AS k (trip, driver) ON trip = trip_id
    WHERE ${sql.literal(which)} ORDER BY trip_id DESC
    RETURNING assignment_id AS id, trip_id AS trip, driver_id AS driver, status,
              trip_ends_at > '2026-11-20T09:30:00Z' AS ahead`
  yield* give("'cancelled'", "trip_id % 7 = 0")
  const given = statuses.map((status) => `'${status}'`).join(", ")
  const parts = yield* give(`(ARRAY[${given}])[1 + trip_id::int % ${statuses.length}]`, "true")
  yield* reorderOnDisk("assignments", "assignment_id")
  return new Map(parts.map((part) => [part.trip, part]))
})

const parts = ["assigned", "en_route", "completed", "cancelled"]
const removeTrips = set("trips", "trip_id", "deleted_at = now()")
const moveTrips = (ids: Ids, key: number) =>
  set("trips", "trip_id", `trip_date = ${pickup(String(key))}`)(ids)

/** The list of a customer's trips. Another customer has trips too. */
export const customerTrips = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, customer, key: credential } = yield* company(server)
  const customerId = Number((yield* customer())["customer_id"])
  const other = Number((yield* customer())["customer_id"])
  const listing: TestList = {
    path: `/customers/${customerId}/trips`,
    credential,
    add: Effect.fnUntraced(function* (keys: Ids) {
      yield* book(businessId, keys, other)
      const made = yield* book(businessId, keys, customerId)
      return made.filter(({ gone }) => !gone).map(({ id, key }) => ({ id, key, shown: id, facts: {} }))
    }),
    remove: removeTrips,
    move: moveTrips
  }
  return listing
})

/** The timeline of a trip, all entries at the same time. Another trip has entries too. */
export const timeline = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, key: credential } = yield* company(server)
  const [trip = 0, other = 0] = (yield* book(businessId, [1, 1])).map(({ id }) => id)
  const listing: TestList = {
    path: `/trips/${trip}/timeline`,
    credential,
    add: Effect.fnUntraced(function* (keys: Ids) {
      const sql = yield* SqlClient.SqlClient
      const made = yield* sql<{ id: number; trip: number }>`
        INSERT INTO trip_changes (business_id, trip_id, at, actor, change)
        SELECT ${businessId}, trip, '2026-11-20T09:00:00Z', 'system', 'updated'
        FROM unnest(${keys}::int[]) AS k, unnest(${[trip, other]}::bigint[]) AS trip
        RETURNING change_id AS id, trip_id AS trip`
      yield* reorderOnDisk("trip_changes", "change_id")
      return made.filter((one) => one.trip === trip).map(({ id }) => ({ id, shown: id, key: 0, facts: {} }))
    })
  }
  return listing
})

/** The dispatch board, with trips of today and tomorrow and two drivers. */
export const board = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, key: credential } = yield* company(server)
  const drivers = [yield* employ(businessId), yield* employ(businessId)]
  const listing: TestList = {
    path: "/dispatch/trips",
    credential,
    filters: {
      date: ["2026-11-20", "2026-11-21", "2026-11-22"],
      status: ["pending", "confirmed", "in_progress", "completed", "cancelled"],
      driver_id: [String(drivers[0])]
    },
    add: Effect.fnUntraced(function* (keys: Ids) {
      const made = yield* book(businessId, keys, undefined, 1)
      const given = made.map(({ id }) => id).filter((id) => id % 5 !== 0)
      const by = yield* assign(
        given,
        given.map((id) => drivers[id % 3] ?? drivers[0] ?? 0),
        parts
      )
      return made
        .filter(({ gone }) => !gone)
        .map(({ day, id, key, status }) => {
          const part = by.get(id)
          const driver = part?.status === "cancelled" ? undefined : part?.driver
          return { id, key, shown: id, facts: { day, status, driver } }
        })
    }),
    remove: removeTrips,
    move: moveTrips
  }
  return listing
})

/** The list of a driver's jobs. Another driver has jobs too. */
export const jobs = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId } = yield* company(server)
  const driver = yield* driverOf(server, businessId)
  const other = yield* employ(businessId)
  const tripsOf = (ids: Ids) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql<{
          id: number
        }>`SELECT trip_id AS id FROM assignments WHERE assignment_id = ANY(${ids}::bigint[])`,
        (rows) => rows.map(({ id }) => id)
      )
    )
  const listing: TestList = {
    path: "/me/driver/trips",
    credential: driver.token,
    filters: { filter: ["upcoming", "previous"], status: parts },
    add: Effect.fnUntraced(function* (keys: Ids) {
      const made = yield* book(businessId, keys)
      const trips = made.map(({ id }) => id)
      yield* assign(
        trips,
        trips.map(() => other),
        parts
      )
      const by = yield* assign(
        trips,
        trips.map(() => driver.driverId),
        parts
      )
      return made.flatMap(({ gone, id, key }) => {
        const part = by.get(id)
        if (gone || part === undefined) return []
        return [{ id: part.id, key, tie: id, shown: id, facts: { status: part.status, ahead: part.ahead } }]
      })
    }),
    remove: (ids) => Effect.flatMap(tripsOf(ids), removeTrips),
    move: Effect.fnUntraced(function* (ids: Ids, key: number) {
      const at = pickup(String(key))
      yield* moveTrips(yield* tripsOf(ids), key)
      const change = `trip_date = ${at}, trip_ends_at = ${at} + interval '1 hour'`
      yield* set("assignments", "assignment_id", change)(ids)
    })
  }
  return listing
})

/** The list of the positions of ten drivers, each under way on several trips. The key is the driver's index. */
export const locations = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, key: credential } = yield* company(server)
  const drivers = yield* Effect.forEach(names, () => employ(businessId))
  const listing: TestList = {
    path: "/drivers/locations",
    credential,
    add: Effect.fnUntraced(function* (keys: Ids) {
      const sql = yield* SqlClient.SqlClient
      const trips = (yield* book(businessId, keys)).map(({ id }) => id)
      const doing = ["en_route", "en_route", "en_route", "assigned", "completed"]
      const given = yield* assign(
        trips,
        keys.map((key) => drivers[key] ?? 0),
        doing
      )
      const reported = [...given.values()].filter(({ id }) => id % 9 !== 0)
      yield* sql`
        INSERT INTO driver_positions (business_id, assignment_id, lat, lng, recorded_at, received_at)
        SELECT ${businessId}, id, 47, 8, now(), now() FROM unnest(${reported.map(({ id }) => id)}::bigint[]) AS id`
      return reported
        .filter(({ status }) => status === "en_route")
        .map(({ driver, id }) => ({ id, shown: id, key: drivers.indexOf(driver), facts: {} }))
    }),
    remove: set("assignments", "assignment_id", "status = 'completed'")
  }
  return listing
})
