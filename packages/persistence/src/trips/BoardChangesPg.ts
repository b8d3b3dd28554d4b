/** The changes of followed boards. */
import { Array, type DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import {
  BoardPosition,
  BusinessId,
  DriverId,
  maxChangedTrips,
  StoredTrip,
  traced,
  TripId
} from "@livery/domain"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { makeWriteForm } from "../sql/schema/WriteForm.ts"
import * as Conditions from "./TripConditions.ts"

const ChangeRow = Schema.Struct({
  business_id: BusinessId,
  trip_id: TripId,
  at: StoredTrip.fields.updated_at,
  driver_id: Schema.NullOr(DriverId),
  position: Schema.NullOr(BoardPosition)
})

const changesOf = rowsAs(ChangeRow)

/** The changes of how many businesses a distributed database reads at a time. */
const businessesAtOnce = 4

/**
 * Makes the `changes` of `DispatchBoardRepository`. Boards are followed ten times a second, so on a plain PostgreSQL one
 * statement reads all businesses. A distributed database would run it on every node, and fail while one of them is down:
 * there each business has its statement, on its node.
 */
export const makeBoardChanges = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const inForm = yield* makeWriteForm(sql)
  const isUnderWay = sql.literal(Conditions.isUnderWay)

  /** The changes of a business after two instants. */
  const changesAfter = (
    businessId: Statement.Fragment,
    after: { readonly trips: DateTime.Utc; readonly positions: DateTime.Utc }
  ) => {
    const most = sql.literal(String(maxChangedTrips))
    return sql`
      SELECT ${businessId} AS business_id, c.* FROM (
        (SELECT trip_id, updated_at AS at, NULL::bigint AS driver_id, NULL::json AS position FROM trips t
         WHERE t.business_id = ${businessId} AND t.deleted_at IS NULL AND t.updated_at > ${instant(after.trips)}
         ORDER BY t.updated_at DESC LIMIT ${most})
        UNION ALL
        (SELECT trip_id, deleted_at, NULL, NULL FROM trips t
         WHERE t.business_id = ${businessId} AND t.deleted_at > ${instant(after.trips)}
         ORDER BY t.deleted_at DESC LIMIT ${most})
        UNION ALL
        SELECT a.trip_id, p.received_at, a.driver_id,
          json_build_object('lat', p.lat, 'lng', p.lng, 'recorded_at', p.recorded_at)
        FROM assignments a
        JOIN driver_positions p ON p.business_id = ${businessId} AND p.assignment_id = a.assignment_id
        WHERE a.business_id = ${businessId} AND a.status ${isUnderWay}
          AND p.received_at > ${instant(after.positions)}
      ) c`
  }

  return traced("DispatchBoardRepositoryPg.changes")(function* (
    businessIds: ReadonlyArray<BusinessId>,
    after: { readonly trips: DateTime.Utc; readonly positions: DateTime.Utc }
  ) {
    const rows = yield* inForm({
      oneStatement: changesOf(sql`
        SELECT c.* FROM unnest(${businessIds}::bigint[]) AS f (business_id)
        CROSS JOIN LATERAL (${changesAfter(sql`f.business_id`, after)}) c`),
      plain: Effect.map(
        Effect.forEach(
          businessIds,
          (businessId) => changesOf(changesAfter(sql`${businessId}::bigint`, after)),
          { concurrency: businessesAtOnce }
        ),
        Array.flatten
      )
    })
    return {
      trips: rows.flatMap(({ at, business_id, position, trip_id }) =>
        position === null ? [{ businessId: business_id, tripId: trip_id, at }] : []
      ),
      positions: rows.flatMap(({ business_id, driver_id, position, trip_id }) =>
        position === null || driver_id === null
          ? []
          : [{ businessId: business_id, tripId: trip_id, driverId: driver_id, position }]
      )
    }
  })
})
