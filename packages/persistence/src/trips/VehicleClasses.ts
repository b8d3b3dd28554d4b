/** Whether few cars of a business have a vehicle class. */
import type { BusinessId, VehicleClass } from "@livery/domain"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { literalCount } from "../sql/lists/PageLimits.ts"
import { rowsAs } from "../sql/rows/Rows.ts"

/** A vehicle class with at most so many cars is rare. */
const maxRareCars = 1000

const counts = rowsAs(Schema.Struct({ count: Schema.Int }))

/**
 * Whether so few cars have the class that a list looks up what it lists by the cars. Otherwise it tests the records in its
 * order. The class is compared as a range and is the order, so that PostgreSQL reads the index of classes.
 */
export const isRareClass =
  (sql: SqlClient.SqlClient) =>
  (businessId: BusinessId, vehicleClass: VehicleClass): Effect.Effect<boolean> =>
    Effect.map(
      counts(sql`
        SELECT count(*) AS count FROM (
          SELECT FROM cars
          WHERE business_id = ${businessId} AND vehicle_class >= ${vehicleClass} AND vehicle_class <= ${vehicleClass}
          ORDER BY vehicle_class LIMIT ${literalCount(sql, maxRareCars + 1)}) c`),
      ([row]) => (row?.count ?? 0) <= maxRareCars
    )
