import { Effect } from "effect"
import type { Statement } from "effect/sql"
import {
  type BusinessId,
  FreeDriver,
  FreeDriverRepository,
  maxCount,
  offsetOf,
  type VehicleClass
} from "@livery/domain"
import { forBusiness } from "../sql/statements/ForBusiness.ts"
import { statementPagesOf } from "../sql/lists/Pages.ts"
import { rowsOfPage } from "../sql/lists/PageLimits.ts"
import { instant } from "../sql/rows/Rows.ts"
import { freeDriverColumns, isFree, withJobs } from "./FreeDriverSql.ts"
import { nearestDrivers } from "./NearestDrivers.ts"
import { isRareClass } from "../trips/VehicleClasses.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const pagesOfDrivers = statementPagesOf(FreeDriver)

export const layer = onPostgres(FreeDriverRepository, (sql) => {
  const columns = forBusiness(sql, freeDriverColumns)
  const jobs = forBusiness(sql, withJobs)
  const free = forBusiness(sql, isFree)
  const nearest = nearestDrivers(sql)
  const isRare = isRareClass(sql)

  const carsOf = (businessId: BusinessId, vehicleClass: VehicleClass) => sql`
    SELECT c.car_id FROM cars c
    WHERE c.business_id = ${businessId} AND c.vehicle_class = ${vehicleClass} AND c.active AND c.deleted_at IS NULL`

  /** Whether the default car of the driver `d` has the class. The car is looked up for each driver. */
  const isOfClass = (businessId: BusinessId, vehicleClass: VehicleClass) => sql`(
    SELECT c.car_id FROM cars c
    WHERE c.business_id = ${businessId} AND c.car_id = d.default_car_id AND c.active AND c.deleted_at IS NULL
      AND c.vehicle_class = ${vehicleClass}) IS NOT NULL`

  /** The drivers whose default car has the class, from the index of classes. */
  const ofCars = (businessId: BusinessId, vehicleClass: VehicleClass) => sql`
    (${carsOf(businessId, vehicleClass)} OFFSET 0) c CROSS JOIN LATERAL (
      SELECT * FROM drivers WHERE business_id = ${businessId} AND default_car_id = c.car_id OFFSET 0) d`

  return {
    list: (businessId, { near, vehicleClass, window }, request) => {
      const windowRow = sql`(SELECT ${instant(window.starts)}::timestamptz AS starts, ${instant(window.ends)}::timestamptz AS ends)`
      const countedFrom = vehicleClass === null ? sql`drivers d` : ofCars(businessId, vehicleClass)
      const counted = sql`
        SELECT count(*) AS total FROM (
          SELECT FROM ${windowRow} w CROSS JOIN ${countedFrom} WHERE ${free(businessId)} LIMIT ${maxCount + 1}) c`
      const selected = sql`SELECT ${columns(businessId)}, (${counted}) AS total FROM ${windowRow} w`
      const rows = () => {
        const limit = rowsOfPage(sql, request, false)
        const isWanted = sql.and([
          free(businessId),
          ...(vehicleClass === null ? [] : [isOfClass(businessId, vehicleClass)])
        ])
        if (near === null) {
          const byName = (table: Statement.Fragment, where: Statement.Fragment) => sql<object>`
            ${selected} CROSS JOIN ${table} ${jobs(businessId)}
            WHERE ${where} ORDER BY d.name, d.driver_id ${limit}`
          if (vehicleClass === null) return byName(sql`drivers d`, isWanted)
          return Effect.flatMap(isRare(businessId, vehicleClass), (rare) =>
            rare
              ? byName(ofCars(businessId, vehicleClass), free(businessId))
              : byName(sql`drivers d`, isWanted)
          )
        }
        const nearestStatement = nearest(businessId, near, window, windowRow, isWanted)
        return Effect.flatMap(nearestStatement(offsetOf(request) + request.perPage + 1), (listed) => {
          const order = (table: string) =>
            sql.literal(`${table}.chord NULLS LAST, ${table}.name, ${table}.driver_id`)
          return sql<object>`
            ${selected}
            CROSS JOIN (SELECT * FROM (${listed}) l ORDER BY ${order("l")} ${limit}) i
            CROSS JOIN LATERAL (
              SELECT * FROM drivers WHERE business_id = ${businessId} AND driver_id = i.driver_id LIMIT 1) d
            ${jobs(businessId)}
            ORDER BY ${order("i")}`
        })
      }
      return pagesOfDrivers(request, { rows: rows(), counted })
    }
  }
})
