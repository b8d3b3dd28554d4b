import { Effect, Schema } from "effect"
import { SeatRepository } from "@livery/domain"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const counts = rowsAs(Schema.Struct({ active: Schema.Int, seats: Schema.Int }))

/** Seats in the table `driver_seats`. An ended one stays as a row with `ended_at`. */
export const layer = onPostgres(SeatRepository, (sql) => ({
  count: (businessId) =>
    Effect.map(
      counts(sql`
          SELECT
            (SELECT count(*) FROM drivers
             WHERE business_id = ${businessId} AND deleted_at IS NULL AND active) AS active,
            (SELECT count(*) FROM driver_seats WHERE business_id = ${businessId} AND ended_at IS NULL) AS seats`),
      ([row]) => row ?? { active: 0, seats: 0 }
    ),
  take: (businessId, driverId, { currency, minor }, now) =>
    execute(sql`
          INSERT INTO driver_seats (business_id, driver_id, price_minor, currency, started_at)
          VALUES (${businessId}, ${driverId}, ${minor}, ${currency}, ${instant(now)})`),
  end: (businessId, count, ownOf, now) =>
    execute(sql`
          UPDATE driver_seats SET ended_at = ${instant(now)}
          WHERE business_id = ${businessId} AND seat_id IN (
            SELECT seat_id FROM driver_seats WHERE business_id = ${businessId} AND ended_at IS NULL
            ORDER BY (driver_id = ${ownOf ?? 0}) DESC, seat_id DESC LIMIT ${count})`)
}))
