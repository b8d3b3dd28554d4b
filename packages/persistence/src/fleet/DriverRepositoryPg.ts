/** The domain's `DriverRepository` on PostgreSQL. */
import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  BusinessId,
  CarId,
  DriverId,
  type DriverProfile,
  DriverRepository,
  TripId,
  UserId
} from "@livery/domain"
import { pagesOf } from "../sql/Pages.ts"
import { Instant, instant, rowsAs } from "../sql/Rows.ts"

const text = Schema.NullOr(Schema.String)

const DriverRow = Schema.Struct({
  driver_id: DriverId,
  business_id: BusinessId,
  name: Schema.String,
  email: text,
  phone: text,
  license_number: text,
  license_expires_on: text,
  default_car_id: Schema.NullOr(CarId),
  photo_url: text,
  active: Schema.Boolean,
  user_id: Schema.NullOr(UserId),
  created_at: Instant,
  updated_at: Instant
})

const drivers = rowsAs(DriverRow)
const pageOfDrivers = pagesOf(DriverRow)
const ids = rowsAs(Schema.Struct({ driver_id: DriverId }))
const windows = rowsAs(
  Schema.Struct({ trip_id: TripId, reference: Schema.String, from: Instant, to: Instant })
)

const columnsOf = (driver: DriverProfile) => ({
  name: driver.name,
  email: driver.email,
  phone: driver.phone,
  license_number: driver.license_number,
  license_expires_on: driver.license_expires_on,
  default_car_id: driver.default_car_id,
  photo_url: driver.photo_url,
  active: driver.active
})

export const layer = Layer.effect(
  DriverRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const one = (businessId: BusinessId, driverId: DriverId) =>
      sql`business_id = ${businessId} AND driver_id = ${driverId} AND deleted_at IS NULL`
    const stored = <E>(statement: Effect.Effect<ReadonlyArray<object>, E>) =>
      Effect.flatMap(drivers(statement), ([driver]) => Effect.orDie(Effect.fromNullishOr(driver)))

    return DriverRepository.of({
      insert: (businessId, driver, now) => {
        const row = {
          ...columnsOf(driver),
          business_id: businessId,
          created_at: instant(now),
          updated_at: instant(now)
        }
        return stored(sql`INSERT INTO drivers ${sql.insert(row)} RETURNING *`)
      },
      list: (businessId, { active }, page) =>
        pageOfDrivers(sql, page, {
          columns: sql`*`,
          from: sql`drivers`,
          where: sql.and([
            sql`business_id = ${businessId}`,
            sql`deleted_at IS NULL`,
            ...(active === undefined ? [] : [sql`active = ${active}`])
          ]),
          order: sql`name, driver_id`
        }),
      find: (businessId, driverId) =>
        Effect.map(drivers(sql`SELECT * FROM drivers WHERE ${one(businessId, driverId)}`), Array.head),
      lock: (businessId, driverId) =>
        Effect.map(
          drivers(sql`SELECT * FROM drivers WHERE ${one(businessId, driverId)} FOR NO KEY UPDATE`),
          Array.head
        ),
      lockForDelete: (businessId, driverId) =>
        Effect.map(
          drivers(sql`SELECT * FROM drivers WHERE ${one(businessId, driverId)} FOR UPDATE`),
          Array.head
        ),
      update: (businessId, driverId, driver, now) => {
        const row = { ...columnsOf(driver), updated_at: instant(now) }
        return stored(
          sql`UPDATE drivers SET ${sql.update(row)} WHERE ${one(businessId, driverId)} RETURNING *`
        )
      },
      linkAccount: (businessId, driverId, userId, now) =>
        Effect.map(
          ids(sql`
            UPDATE drivers SET user_id = ${userId}, updated_at = ${instant(now)}
            WHERE ${one(businessId, driverId)} AND NOT EXISTS (
              SELECT FROM drivers o
              WHERE o.business_id = ${businessId} AND o.user_id = ${userId} AND o.deleted_at IS NULL)
            RETURNING driver_id`),
          (linked) => linked.length > 0
        ),
      remove: Effect.fnUntraced(function* (businessId, driverId, now) {
        yield* sql`DELETE FROM driver_invitations WHERE business_id = ${businessId} AND driver_id = ${driverId}`
        yield* sql`
          DELETE FROM drivers WHERE ${one(businessId, driverId)}
            AND NOT EXISTS (SELECT FROM assignments WHERE business_id = ${businessId} AND driver_id = ${driverId})
            AND NOT EXISTS (SELECT FROM driver_seats WHERE business_id = ${businessId} AND driver_id = ${driverId})`
        yield* sql`
          UPDATE drivers SET deleted_at = ${instant(now)}, user_id = NULL WHERE ${one(businessId, driverId)}`
      }, Effect.orDie),
      // No window is longer than 31 days, so the index is read from 31 days before.
      busyWindows: (businessId, driverId, { ends, starts }) =>
        windows(sql`
          SELECT a.trip_id, t.reference, a.trip_date AS from, a.trip_ends_at AS to
          FROM assignments a JOIN trips t ON t.business_id = a.business_id AND t.trip_id = a.trip_id
          WHERE a.business_id = ${businessId} AND a.driver_id = ${driverId} AND a.status IN ('assigned', 'en_route')
            AND a.trip_date < ${instant(ends)} AND a.trip_ends_at > ${instant(starts)}
            AND a.trip_date >= ${instant(starts)}::timestamptz - interval '31 days'
          ORDER BY a.trip_date, a.trip_id`)
    })
  })
)
