import { TripFare, TripFareRepository } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const fares = rowsAs(TripFare)

export const layer = onPostgres(TripFareRepository, (sql) => ({
  find: (businessId, tripId) =>
    firstOf(
      fares(sql`
          SELECT ${sql.literal(columnsOf(TripFare))} FROM trip_fares
          WHERE business_id = ${businessId} AND trip_id = ${tripId}`)
    ),
  ofTrips: (businessId, tripIds) =>
    fares(sql`
      SELECT ${sql.literal(columnsOf(TripFare))} FROM trip_fares
      WHERE business_id = ${businessId} AND trip_id = ANY(${tripIds}::bigint[]) ORDER BY trip_id`),
  store: ({ final, quoted, ...fare }) =>
    execute(sql`
          INSERT INTO trip_fares ${sql.insert({
            ...fare,
            quoted: JSON.stringify(quoted),
            final: final === null ? null : JSON.stringify(final)
          })}
          ON CONFLICT (business_id, trip_id) DO UPDATE SET
            tariff_id = excluded.tariff_id, tariff_version = excluded.tariff_version,
            currency = excluded.currency, quoted = excluded.quoted, final = excluded.final`)
}))
