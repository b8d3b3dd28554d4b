import { type DateTime, Effect } from "effect"
import { Absence, AbsenceRepository, maxAbsenceDays } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const absences = rowsAs(Absence)
const pageOfAbsences = pagesOf(Absence)

export const layer = onPostgres(AbsenceRepository, (sql) => {
  const columns = sql.literal(columnsOf(Absence))
  const order = sql`starts_at, absence_id`
  /**
   * Absences that end after an instant. None is longer than `maxAbsenceDays`, so the index on the start is read from that
   * long before the instant.
   */
  const endsAfter = (at: DateTime.Utc) => sql`
    ends_at > ${instant(at)}
    AND starts_at > ${instant(at)}::timestamptz - make_interval(days => ${maxAbsenceDays + 1}::int)`

  return {
    insert: (businessId, driverId, { kind, note }, windows, now) => {
      const [first, ...others] = windows.map(({ ends, starts }) => ({
        business_id: businessId,
        driver_id: driverId,
        kind,
        starts_at: instant(starts),
        ends_at: instant(ends),
        note,
        created_at: instant(now)
      }))
      return first === undefined
        ? Effect.succeed([])
        : absences(sql`INSERT INTO driver_absences ${sql.insert([first, ...others])} RETURNING ${columns}`)
    },
    list: (businessId, driverId, { from, to }, page) =>
      pageOfAbsences(sql, page, {
        columns,
        from: sql`driver_absences`,
        where: sql.and([
          sql`business_id = ${businessId}`,
          sql`driver_id = ${driverId}`,
          ...(from === undefined ? [] : [endsAfter(from)]),
          ...(to === undefined ? [] : [sql`starts_at < ${instant(to)}`])
        ]),
        order
      }),
    during: (businessId, { ends, starts }, page) => {
      /** The absences of the driver `d` of a duration. Those that last more than a day have an index of their own. */
      const ofDuration = (duration: string, maxHours: number) => sql`
        SELECT * FROM driver_absences b
        WHERE b.business_id = ${businessId} AND b.driver_id = d.driver_id
          AND b.starts_at < ${instant(ends)} AND b.ends_at > ${instant(starts)}
          AND b.starts_at > ${instant(starts)}::timestamptz - make_interval(hours => ${maxHours}::int)
          AND ${sql.literal(duration)}`
      return pageOfAbsences(sql, page, {
        columns,
        from: sql`(
          SELECT b.* FROM drivers d CROSS JOIN LATERAL (
            ${ofDuration("b.ends_at - b.starts_at <= interval '1 day'", 24)}
            UNION ALL ${ofDuration("b.ends_at - b.starts_at > interval '1 day'", 24 * (maxAbsenceDays + 1))}) b
          WHERE d.business_id = ${businessId} AND d.deleted_at IS NULL) absent`,
        where: sql`true`,
        order
      })
    },
    find: (businessId, driverId, absenceIds) =>
      absences(sql`
        SELECT ${columns} FROM driver_absences
        WHERE business_id = ${businessId} AND driver_id = ${driverId}
          AND absence_id = ANY (${absenceIds}::bigint[])
        ORDER BY ${order}`),
    within: (businessId, driverId, { ends, starts }) =>
      absences(sql`
        SELECT ${columns} FROM driver_absences
        WHERE business_id = ${businessId} AND driver_id = ${driverId}
          AND starts_at < ${instant(ends)} AND ${endsAfter(starts)}
        ORDER BY ${order}`),
    remove: (businessId, absenceIds) =>
      execute(sql`
          DELETE FROM driver_absences
          WHERE business_id = ${businessId} AND absence_id = ANY (${absenceIds}::bigint[])`)
  }
})
