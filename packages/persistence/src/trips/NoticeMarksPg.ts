import {
  type BusinessId,
  defaultQuietMinutes,
  maxQuietTimes,
  type NoticeMark,
  NoticeMarks
} from "@livery/domain"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { makeWriteForm } from "../sql/schema/WriteForm.ts"

/** The columns of a new mark after the ids, of a change at `now`; `s` are the settings of the business. */
const markTimes = (now: string, isUrgent: string): string => `
  ${now} + CASE WHEN ${isUrgent} THEN interval '0' ELSE make_interval(mins => coalesce(s.quiet_minutes, ${defaultQuietMinutes})) END AS due_at,
  ${now} + make_interval(mins => ${maxQuietTimes} * coalesce(s.quiet_minutes, ${defaultQuietMinutes})) AS latest_at`

/** Marks a new trip, if its business tells its customers. `trip` is a relation `t` with its ids and the time of its creation. */
export const markNewTrip = (sql: SqlClient.SqlClient, businessId: unknown, trip: Statement.Fragment) => sql`
  INSERT INTO notice_marks (business_id, trip_id, due_at, latest_at)
  SELECT t.business_id, t.trip_id, ${sql.literal(markTimes("t.created_at", "false"))}
  FROM ${trip}, notice_settings s WHERE s.business_id = ${businessId} AND s.tells_customers`

/** The rows of one insert: a statement has at most 65,535 parameters. */
const maxRows = 5000

const quietTimes = rowsAs(Schema.Struct({ quiet_minutes: Schema.Int, tells_customers: Schema.Boolean }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const inForm = yield* makeWriteForm(sql)

  /** What a later change does to a mark `m`. */
  const onMark = (now: DateTime.Utc) => {
    const at = sql`${instant(now)}::timestamptz`
    return sql`
      ON CONFLICT (business_id, trip_id) DO UPDATE SET
        due_at = CASE
          WHEN m.due_at <= ${at} THEN m.due_at
          ELSE least(excluded.due_at, greatest(m.latest_at, ${at}))
        END,
        claimed_until = NULL`
  }

  const markPlainly = Effect.fnUntraced(function* (
    businessId: BusinessId,
    marks: ReadonlyArray<NoticeMark>,
    now: DateTime.Utc
  ) {
    const [settings] = yield* quietTimes(sql`
      SELECT coalesce(quiet_minutes, ${defaultQuietMinutes}) AS quiet_minutes, tells_customers
      FROM notice_settings WHERE business_id = ${businessId}`)
    const minutes = settings?.quiet_minutes ?? defaultQuietMinutes
    const after = (count: number) => instant(DateTime.add(now, { minutes: count }))
    const rows = marks
      .filter(({ hasDriver }) => hasDriver || settings?.tells_customers === true)
      .map(({ before, isUrgent }) => ({
        business_id: businessId,
        trip_id: before.trip_id,
        due_at: isUrgent ? instant(now) : after(minutes),
        latest_at: after(maxQuietTimes * minutes),
        before: JSON.stringify(before)
      }))
    for (const some of Array.chunksOf(rows, maxRows))
      yield* execute(sql`INSERT INTO notice_marks AS m ${sql.insert(some)} ${onMark(now)}`)
  })

  return NoticeMarks.of({
    mark: (businessId, marks, now) => {
      const changes = marks.map(({ before, hasDriver, isUrgent }) => ({
        trip_id: before.trip_id,
        is_urgent: isUrgent,
        has_driver: hasDriver,
        before
      }))
      const oneStatement = execute(sql`
      INSERT INTO notice_marks AS m (business_id, trip_id, due_at, latest_at, before)
      SELECT ${businessId}::bigint, c.trip_id, ${sql.literal(markTimes("n.now", "c.is_urgent"))}, c.before
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
          AS c (trip_id bigint, is_urgent boolean, has_driver boolean, before jsonb)
        CROSS JOIN (SELECT ${instant(now)}::timestamptz AS now) n
        LEFT JOIN notice_settings s ON s.business_id = ${businessId}
      WHERE c.has_driver OR s.tells_customers
      ${onMark(now)}`)
      return inForm({ oneStatement, plain: markPlainly(businessId, marks, now) })
    },
    forget: Effect.fnUntraced(function* (businessId, tripIds) {
      if (tripIds.length === 0) return
      const ofTrips = sql`business_id = ${businessId} AND trip_id = ANY (${tripIds}::bigint[])`
      yield* execute(sql`UPDATE notices SET address = NULL WHERE ${ofTrips} AND address IS NOT NULL`)
      yield* execute(sql`DELETE FROM notice_marks WHERE ${ofTrips}`)
    })
  })
})

/** Marks in the table `notice_marks`. */
export const layer = Layer.effect(NoticeMarks, make)
