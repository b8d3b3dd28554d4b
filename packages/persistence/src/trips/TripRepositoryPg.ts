import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  BusinessId,
  CarId,
  countedAtMost,
  Currency,
  offsetOf,
  PaymentStatus,
  type Trip,
  TripId,
  type TripQuery,
  TripRepository,
  TripStatus,
  TripType
} from "@livery/domain"
import { Instant, instant, rowsAs } from "../sql/Rows.ts"

const text = Schema.NullOr(Schema.String)
const degrees = Schema.NullOr(Schema.Finite)

const TripRow = Schema.Struct({
  trip_id: TripId,
  business_id: BusinessId,
  reference: Schema.String,
  status: TripStatus,
  payment_status: PaymentStatus,
  trip_type: TripType,
  trip_date: Instant,
  pickup_address: Schema.String,
  pickup_postal_code: text,
  pickup_lat: degrees,
  pickup_lng: degrees,
  dropoff_address: Schema.String,
  dropoff_postal_code: text,
  dropoff_lat: degrees,
  dropoff_lng: degrees,
  customer_name: Schema.String,
  customer_email: text,
  customer_phone: text,
  car_id: Schema.NullOr(CarId),
  total_minor: Schema.NullOr(Schema.Int),
  currency: Currency,
  flight_number: text,
  terminal: text,
  participants_count: Schema.NullOr(Schema.Int),
  notes: text,
  special_requirements: text,
  created_at: Instant,
  updated_at: Instant
})

const trips = rowsAs(TripRow)

const counts = rowsAs(Schema.Struct({ total: Schema.Int }))

/** A trip on a page, beside how many there are in all, counted one further than totals are told. */
const countedTrips = rowsAs(Schema.Struct({ ...TripRow.fields, total: Schema.Int }))

const withDriverStatus = (row: typeof TripRow.Type): Trip => ({ ...row, driver_status: "unassigned" })

export const layer = Layer.effect(
  TripRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const conditionsOf = (businessId: BusinessId, query: TripQuery) =>
      sql.and([
        sql`business_id = ${businessId}`,
        ...(query.status === undefined ? [] : [sql`status = ${query.status}`]),
        ...(query.paymentStatus === undefined ? [] : [sql`payment_status = ${query.paymentStatus}`]),
        ...(query.from === undefined ? [] : [sql`trip_date >= ${instant(query.from)}`]),
        ...(query.before === undefined ? [] : [sql`trip_date < ${instant(query.before)}`])
      ])

    return TripRepository.of({
      insert: (trip, now) => {
        const row = {
          ...trip,
          trip_date: instant(trip.trip_date),
          created_at: instant(now),
          updated_at: instant(now)
        }
        return Effect.map(
          trips(sql`
            INSERT INTO trips ${sql.insert(row)} ON CONFLICT (business_id, reference) DO NOTHING RETURNING *`),
          (inserted) => Array.head(Array.map(inserted, withDriverStatus))
        )
      },
      find: (businessId, tripId) =>
        Effect.map(
          trips(sql`SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = ${tripId}`),
          (found) => Array.head(Array.map(found, withDriverStatus))
        ),
      list: Effect.fnUntraced(function* (businessId, query, request) {
        const conditions = conditionsOf(businessId, query)
        const counted = sql`SELECT count(*) AS total FROM (SELECT FROM trips WHERE ${conditions} LIMIT ${countedAtMost + 1}) c`
        const order =
          query.order === "soonest" ? sql`trip_date ASC, trip_id ASC` : sql`trip_date DESC, trip_id DESC`
        // One more than the page holds tells whether another page follows, also beyond what is counted.
        const rows = yield* countedTrips(sql`
          SELECT t.*, (${counted}) AS total
          FROM trips t WHERE ${conditions} ORDER BY ${order}
          LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}`)
        const [first] = rows
        const total = first?.total ?? (request.page === 1 ? 0 : ((yield* counts(counted))[0]?.total ?? 0))
        return {
          items: rows.slice(0, request.perPage).map(({ total: _total, ...row }) => withDriverStatus(row)),
          total: total > countedAtMost ? undefined : total,
          hasMore: rows.length > request.perPage
        }
      })
    })
  })
)
