import { Effect, Schema } from "effect"
import {
  type BusinessId,
  BusyWindow,
  Driver,
  DriverId,
  DriverInput,
  DriverRepository,
  maxDurationMinutes
} from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import * as Conditions from "../trips/TripConditions.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const drivers = rowsAs(Driver)
const pageOfDrivers = pagesOf(Driver)
const ids = rowsAs(Schema.Struct({ driver_id: DriverId }))
const windows = rowsAs(BusyWindow)

const setByCallers = columnsSetBy(DriverInput, Driver)

/** Drivers in the table `drivers`. A deleted driver to which other rows refer stays as a row with `deleted_at`. */
export const layer = onPostgres(DriverRepository, (sql) => {
  const columns = sql.literal(columnsOf(Driver))
  const isLive = sql.literal(`a.status ${Conditions.isLive}`)
  const overlapsWindow = sql.literal(
    Conditions.overlaps(Conditions.windowOfAssignment("a"), { starts: "w.starts", ends: "w.ends" })
  )
  /**
   * The driver's live assignments that overlap the window `w` and last more than a day, or at most a day. The few longer ones
   * have an index of their own, so that those of the month before are not read.
   */
  const busyOfDuration = (
    businessId: BusinessId,
    driverId: DriverId,
    comparison: ">" | "<=",
    maxMinutes: number
  ) => sql`
    SELECT a.trip_id, a.trip_date, a.trip_ends_at FROM assignments a
    WHERE a.business_id = ${businessId} AND a.driver_id = ${driverId} AND ${isLive} AND ${overlapsWindow}
      AND a.trip_ends_at - a.trip_date ${sql.literal(comparison)} interval '1 day'
      AND a.trip_date > w.starts - make_interval(mins => ${sql.literal(String(maxMinutes))})`
  const liveDriver = (businessId: BusinessId, driverId: DriverId) =>
    sql`business_id = ${businessId} AND driver_id = ${driverId} AND deleted_at IS NULL`
  const stored = <E>(statement: Effect.Effect<ReadonlyArray<object>, E>) => oneRow(drivers(statement))

  return {
    insert: (businessId, driver, now) => {
      const row = {
        ...valuesOf(setByCallers, driver),
        business_id: businessId,
        created_at: instant(now),
        updated_at: instant(now)
      }
      return stored(sql`INSERT INTO drivers ${sql.insert(row)} RETURNING ${columns}`)
    },
    list: (businessId, { active }, page) =>
      pageOfDrivers(sql, page, {
        columns,
        from: sql`drivers`,
        where: sql.and([
          sql`business_id = ${businessId}`,
          sql`deleted_at IS NULL`,
          ...(active === undefined ? [] : [sql`active = ${active}`])
        ]),
        order: sql`name, driver_id`
      }),
    find: (businessId, driverId) =>
      firstOf(drivers(sql`SELECT ${columns} FROM drivers WHERE ${liveDriver(businessId, driverId)}`)),
    lock: (businessId, driverId) =>
      firstOf(
        drivers(
          sql`SELECT ${columns} FROM drivers WHERE ${liveDriver(businessId, driverId)} FOR NO KEY UPDATE`
        )
      ),
    lockForDelete: (businessId, driverId) =>
      firstOf(
        drivers(sql`SELECT ${columns} FROM drivers WHERE ${liveDriver(businessId, driverId)} FOR UPDATE`)
      ),
    update: (businessId, driverId, driver, now) => {
      const row = { ...valuesOf(setByCallers, driver), updated_at: instant(now) }
      return stored(
        sql`UPDATE drivers SET ${sql.update(row)} WHERE ${liveDriver(businessId, driverId)} RETURNING ${columns}`
      )
    },
    linkAccount: Effect.fnUntraced(function* (businessId, driverId, userId, now) {
      yield* execute(sql`
        INSERT INTO driver_accounts (user_id, business_id) VALUES (${userId}, ${businessId}) ON CONFLICT DO NOTHING`)
      const linked = yield* ids(sql`
        UPDATE drivers SET user_id = ${userId}, updated_at = ${instant(now)}
        WHERE ${liveDriver(businessId, driverId)} AND NOT EXISTS (
          SELECT FROM drivers o
          WHERE o.business_id = ${businessId} AND o.user_id = ${userId} AND o.deleted_at IS NULL)
        RETURNING driver_id`)
      return linked.length > 0
    }),
    remove: Effect.fnUntraced(function* (businessId, driverId, now) {
      yield* sql`DELETE FROM driver_invitations WHERE business_id = ${businessId} AND driver_id = ${driverId}`
      yield* sql`DELETE FROM driver_absences WHERE business_id = ${businessId} AND driver_id = ${driverId}`
      yield* sql`
        DELETE FROM drivers WHERE ${liveDriver(businessId, driverId)}
          AND NOT EXISTS (SELECT FROM assignments WHERE business_id = ${businessId} AND driver_id = ${driverId})
          AND NOT EXISTS (SELECT FROM driver_seats WHERE business_id = ${businessId} AND driver_id = ${driverId})`
      yield* sql`
        UPDATE drivers SET deleted_at = ${instant(now)}, user_id = NULL, former_user_id = user_id
        WHERE ${liveDriver(businessId, driverId)}`
    }, Effect.orDie),
    busyWindows: (businessId, driverId, { ends, starts }) =>
      windows(sql`
        SELECT a.trip_id, t.reference, a.trip_date AS from, a.trip_ends_at AS to
        FROM (SELECT ${instant(starts)}::timestamptz AS starts, ${instant(ends)}::timestamptz AS ends) w
        CROSS JOIN LATERAL (
          ${busyOfDuration(businessId, driverId, ">", maxDurationMinutes)}
          UNION ALL ${busyOfDuration(businessId, driverId, "<=", 1440)}) a
        JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id
        ORDER BY a.trip_date, a.trip_id`)
  }
})
