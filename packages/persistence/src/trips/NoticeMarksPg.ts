import { defaultQuietMinutes, maxQuietTimes, NoticeMarks } from "@livery/domain"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { execute, instant } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

/** The columns of a new mark after the ids, of a change at `now`; `s` are the settings of the business. */
const markTimes = (now: string, isUrgent: string): string => `
  ${now} + CASE WHEN ${isUrgent} THEN interval '0' ELSE make_interval(mins => coalesce(s.quiet_minutes, ${defaultQuietMinutes})) END AS due_at,
  ${now} + make_interval(mins => ${maxQuietTimes} * coalesce(s.quiet_minutes, ${defaultQuietMinutes})) AS latest_at`

/** The step of the insertion of a trip that marks it: `t` is the new row. */
export const markInsertion = (sql: SqlClient.SqlClient, businessId: unknown): Statement.Fragment => sql`
  marked AS (
    INSERT INTO notice_marks (business_id, trip_id, due_at, latest_at)
    SELECT t.business_id, t.trip_id, ${sql.literal(markTimes("t.created_at", "false"))}
    FROM t, notice_settings s WHERE s.business_id = ${businessId} AND s.tells_customers
  )`

/** Marks in the table `notice_marks`. */
export const layer = onPostgres(NoticeMarks, (sql) => ({
  mark: (businessId, marks, now) => {
    const changes = marks.map(({ before, hasDriver, isUrgent }) => ({
      trip_id: before.trip_id,
      is_urgent: isUrgent,
      has_driver: hasDriver,
      before
    }))
    const at = sql`${instant(now)}::timestamptz`
    return execute(sql`
      INSERT INTO notice_marks AS m (business_id, trip_id, due_at, latest_at, before)
      SELECT ${businessId}::bigint, c.trip_id, ${sql.literal(markTimes("n.now", "c.is_urgent"))}, c.before
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
          AS c (trip_id bigint, is_urgent boolean, has_driver boolean, before jsonb)
        CROSS JOIN (SELECT ${at} AS now) n
        LEFT JOIN notice_settings s ON s.business_id = ${businessId}
      WHERE c.has_driver OR s.tells_customers
      ON CONFLICT (business_id, trip_id) DO UPDATE SET
        due_at = CASE
          WHEN m.due_at <= ${at} THEN m.due_at
          ELSE least(excluded.due_at, greatest(m.latest_at, ${at}))
        END,
        claimed_until = NULL`)
  },
  forget: Effect.fnUntraced(function* (businessId, tripIds) {
    if (tripIds.length === 0) return
    const ofTrips = sql`business_id = ${businessId} AND trip_id = ANY (${tripIds}::bigint[])`
    yield* execute(sql`UPDATE notices SET address = NULL WHERE ${ofTrips} AND address IS NOT NULL`)
    yield* execute(sql`DELETE FROM notice_marks WHERE ${ofTrips}`)
  })
}))
