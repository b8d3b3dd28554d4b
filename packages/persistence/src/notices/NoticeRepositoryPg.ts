import {
  businessMachine,
  BusinessId,
  CurrentActor,
  defaultNoticeSettings,
  Notice,
  NoticeRepository,
  reminderReach,
  type NoticeStatus,
  ToldTrip,
  type TimelineEntry,
  TripId,
  tripMachine
} from "@livery/domain"
import { Array, Effect, Option, Schema } from "effect"
import { pagesOf } from "../sql/lists/Pages.ts"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, firstOf, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const dueTrips = rowsAs(Schema.Struct({ business_id: BusinessId, trip_id: TripId }))
const marks = rowsAs(Schema.Struct({ before: Schema.NullOr(ToldTrip) }))
const notices = rowsAs(Notice)
const pages = pagesOf(Notice)

const sent = "sent" satisfies NoticeStatus
const noticeChange = "notice" satisfies TimelineEntry["change"]
const reminder = "reminder" satisfies Notice["kind"]

/** Marks in the table `notice_marks`, notices in `notices`, and who wants no text messages in `stopped_numbers`. */
export const layer = onPostgres(NoticeRepository, (sql) => {
  const columns = sql.literal(columnsOf(Notice))
  const { confirmed } = stateLiterals(tripMachine)
  const active = sql.literal(stateLiterals(businessMachine).A)
  const isConfirmed = sql.literal(`t.status = ${confirmed}`)
  const exists = <E>(statement: Effect.Effect<ReadonlyArray<object>, E>) =>
    Effect.map(Effect.orDie(statement), Array.isReadonlyArrayNonEmpty)

  return {
    due: (now, limit) =>
      dueTrips(sql`
        SELECT business_id, trip_id FROM notice_marks
        WHERE due_at <= ${instant(now)} AND (claimed_until IS NULL OR claimed_until < ${instant(now)})
        ORDER BY due_at LIMIT ${limit}`),
    claim: ({ business_id, trip_id }, now) =>
      exists(sql`
        UPDATE notice_marks SET claimed_until = ${instant(now)}::timestamptz + interval '1 minute'
        WHERE business_id = ${business_id} AND trip_id = ${trip_id} AND due_at <= ${instant(now)}
          AND (claimed_until IS NULL OR claimed_until < ${instant(now)})
        RETURNING trip_id`),
    take: ({ business_id, trip_id }, now) =>
      firstOf(
        marks(sql`
          DELETE FROM notice_marks
          WHERE business_id = ${business_id} AND trip_id = ${trip_id} AND due_at <= ${instant(now)}
          RETURNING before`)
      ),
    dueReminders: (now, limit) =>
      dueTrips(sql`
        SELECT t.business_id, t.trip_id
        FROM notice_settings s
          JOIN businesses b ON b.business_id = s.business_id AND b.status = ${active}
          CROSS JOIN LATERAL (
            SELECT make_interval(mins => coalesce(s.reminder_minutes, ${defaultNoticeSettings.reminder_minutes}::int)) AS lead
          ) r
          JOIN trips t ON t.business_id = s.business_id AND ${isConfirmed} AND t.deleted_at IS NULL
            AND t.trip_date > ${instant(now)} AND t.trip_date <= ${instant(now)}::timestamptz + r.lead
        WHERE s.reminds AND NOT EXISTS (
          SELECT FROM notices n
          WHERE n.business_id = t.business_id AND n.trip_id = t.trip_id AND n.kind = ${reminder}
            AND n.created_at >= t.trip_date - r.lead * ${reminderReach}::float8)
        ORDER BY t.trip_date, t.trip_id LIMIT ${limit}`),
    hasNotice: ({ business_id, trip_id }, kind, since, address) => {
      const isTo = address === undefined ? sql`true` : sql`address = ${address}`
      return exists(sql`
        SELECT notice_id FROM notices
        WHERE business_id = ${business_id} AND trip_id = ${trip_id} AND kind = ${kind}
          AND created_at >= ${instant(since)} AND ${isTo} LIMIT 1`)
    },
    insert: (business_id, notice, now) => {
      const row = { business_id, ...notice, created_at: instant(now), updated_at: instant(now) }
      return oneRow(notices(sql`INSERT INTO notices ${sql.insert(row)} RETURNING ${columns}`))
    },
    note: Effect.fnUntraced(function* (businessId, noticeId, outcome) {
      const { at, status, ...rest } = outcome
      const told = yield* firstOf(
        notices(sql`
          UPDATE notices SET ${sql.update({ status, ...rest, updated_at: instant(at) })}
          WHERE business_id = ${businessId} AND notice_id = ${noticeId} RETURNING ${columns}`)
      )
      if (Option.isNone(told) || told.value.trip_id === null) return told
      const { channel, driver_id, kind, notice_id, party, reason, trip_id } = told.value
      const after = { notice_id, kind, channel, party, status, ...(reason === null ? {} : { reason }) }
      const entry = {
        business_id: businessId,
        trip_id,
        at: instant(at),
        actor: yield* CurrentActor,
        change: noticeChange,
        driver_id,
        after: JSON.stringify(after)
      }
      yield* execute(sql`INSERT INTO trip_changes ${sql.insert(entry)}`)
      return told
    }),
    receipt: (businessId, reference, status, reason, now) =>
      exists(sql`
        UPDATE notices SET ${sql.update({ status, reason, updated_at: instant(now) })}
        WHERE business_id = ${businessId} AND reference = ${reference} AND status = ${sent} RETURNING notice_id`),
    ofTrip: (businessId, tripId, page) =>
      pages(sql, page, {
        columns,
        from: sql.literal("notices"),
        where: sql`business_id = ${businessId} AND trip_id = ${tripId}`,
        order: sql.literal("notice_id")
      }),
    isStopped: (businessId, phoneHash) =>
      exists(sql`
        SELECT phone_hash FROM stopped_numbers WHERE business_id = ${businessId} AND phone_hash = ${phoneHash}`),
    setStopped: (business_id, phone_hash, isStopped, now) =>
      execute(
        isStopped
          ? sql`INSERT INTO stopped_numbers ${sql.insert({ business_id, phone_hash, stopped_at: instant(now) })}
              ON CONFLICT (business_id, phone_hash) DO NOTHING`
          : sql`DELETE FROM stopped_numbers WHERE business_id = ${business_id} AND phone_hash = ${phone_hash}`
      )
  }
})
