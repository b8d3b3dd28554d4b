import { Schema } from "effect"
import type { Statement } from "effect/sql"
import {
  assignmentMachine,
  type BusinessId,
  Currency,
  InvoiceLine,
  invoiceMachine,
  isOpenInvoice,
  ReportRepository,
  type ReportTime,
  type RevenueGroup,
  TaxOfRate,
  tripMachine,
  UnpaidAge
} from "@livery/domain"
import { onPostgres } from "../sql/statements/OnPostgres.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { inStates, stateLiterals } from "../sql/rows/States.ts"

const assignmentStatuses = stateLiterals(assignmentMachine)
const tripStatuses = stateLiterals(tripMachine)

const text = Schema.NullOr(Schema.String)
const money = Schema.NullOr(Schema.Int)

const revenueRows = rowsAs(
  Schema.Struct({
    key: text,
    label: text,
    currency: Schema.String,
    documents: Schema.Int,
    net_minor: Schema.Int,
    tax_minor: money,
    total_minor: money
  })
)
const taxedRows = rowsAs(
  Schema.Struct({
    currency: Currency,
    subtotal_minor: Schema.Int,
    tax_minor: Schema.Int,
    lines: Schema.Array(Schema.toType(InvoiceLine)),
    taxes: Schema.NullOr(Schema.Array(TaxOfRate))
  })
)
const tripsRows = rowsAs(
  Schema.Struct({ key: text, currency: Schema.String, trips: Schema.Int, amount_minor: Schema.Int })
)
const driver = { driver_id: Schema.Int, driver_name: Schema.String }
const punctualityRows = rowsAs(
  Schema.Struct({
    ...driver,
    jobs: Schema.Int,
    reported: Schema.Int,
    on_time: Schema.Int,
    late_to_5: Schema.Int,
    late_to_15: Schema.Int,
    late_over_15: Schema.Int,
    late_ms: Schema.Int
  })
)
const work = { jobs: Schema.Int, work_ms: Schema.Int, metres: Schema.Int, days_used: Schema.Int }
const driverRows = rowsAs(Schema.Struct({ ...driver, ...work }))
const carRows = rowsAs(
  Schema.Struct({ car_id: Schema.Int, car_name: Schema.String, plate_number: text, ...work })
)
const unpaidRows = rowsAs(
  Schema.Struct({
    key: UnpaidAge,
    currency: Schema.String,
    invoices: Schema.Int,
    amount_minor: Schema.Int
  })
)

/**
 * Where a row of another table is found for each trip or assignment, they are in the order of their ids: PostgreSQL then reads neighbours
 * from the same pages.
 */
export const layer = onPostgres(ReportRepository, (sql) => {
  const counted = sql.literal(inStates(invoiceMachine, (status) => status !== "void" && status !== "draft"))
  const open = sql.literal(inStates(invoiceMachine, isOpenInvoice))
  const dayOf = (at: Date | Statement.Fragment, timezone: string) =>
    sql`(${at}::timestamptz AT TIME ZONE ${timezone})::date`

  /** The invoices and credit notes of the time as one table. Credit notes have negative amounts, and state their taxes. */
  const documents = (businessId: BusinessId, { before, from, timezone }: ReportTime) => sql`
    SELECT 'invoice-' || invoice_id AS document, invoice_id, customer_id, currency, issued_on AS day, lines, NULL::jsonb AS taxes,
      subtotal_minor, tax_minor, total_minor
    FROM invoices
    WHERE business_id = ${businessId} AND deleted_at IS NULL AND status ${counted}
      AND issued_on >= ${dayOf(instant(from), timezone)} AND issued_on < ${dayOf(instant(before), timezone)}
    UNION ALL
    SELECT 'note-' || n.credit_note_id, n.invoice_id, i.customer_id, n.currency, ${dayOf(sql`n.created_at`, timezone)}, n.lines, n.taxes,
      n.subtotal_minor, n.tax_minor, n.total_minor
    FROM credit_notes n
    JOIN invoices i ON i.business_id = ${businessId} AND i.invoice_id = n.invoice_id
      AND i.deleted_at IS NULL AND i.status ${sql.literal(inStates(invoiceMachine, (status) => status !== "void"))}
    WHERE n.business_id = ${businessId}
      AND n.created_at >= ${instant(from)} AND n.created_at < ${instant(before)}`

  /** Whole documents by a key of each. */
  const ofDocuments = (
    businessId: BusinessId,
    time: ReportTime,
    key: Statement.Fragment,
    label: Statement.Fragment
  ) =>
    sql`
    SELECT key, ${label} AS label, currency, documents, net_minor, tax_minor, total_minor
    FROM (
      SELECT ${key} AS key, currency, count(*) AS documents, sum(subtotal_minor)::bigint AS net_minor,
        sum(tax_minor)::bigint AS tax_minor, sum(total_minor)::bigint AS total_minor
      FROM (${documents(businessId, time)}) d GROUP BY 1, 2
    ) r`.unprepared

  /**
   * Lines of documents by a key that is found for them all at once. PostgreSQL expects a hundred lines of each document: a join with
   * them would read all trips or all bookings of the business.
   */
  const ofLines = (
    businessId: BusinessId,
    time: ReportTime,
    { found, joined, key, label }: Readonly<Record<"found" | "joined" | "key" | "label", Statement.Fragment>>
  ) =>
    sql`
    WITH d AS MATERIALIZED (${documents(businessId, time)}),
    l AS MATERIALIZED (
      SELECT d.document, d.invoice_id, d.currency, (line ->> 'net_minor')::bigint AS net_minor,
        (line ->> 'trip_id')::bigint AS trip_id
      FROM d CROSS JOIN LATERAL jsonb_array_elements(d.lines) AS x (line)),
    ${found}
    SELECT key, ${label} AS label, currency, documents, net_minor, NULL::bigint AS tax_minor, NULL::bigint AS total_minor
    FROM (
      SELECT ${key} AS key, l.currency, count(DISTINCT l.document) AS documents, sum(l.net_minor)::bigint AS net_minor
      FROM l ${joined}
      GROUP BY 1, 2
    ) r`.unprepared

  const revenueBy: Readonly<
    Record<RevenueGroup, (businessId: BusinessId, time: ReportTime) => ReturnType<typeof ofDocuments>>
  > = {
    day: (businessId, time) => ofDocuments(businessId, time, sql`to_char(day, 'YYYY-MM-DD')`, sql`key`),
    month: (businessId, time) => ofDocuments(businessId, time, sql`to_char(day, 'YYYY-MM')`, sql`key`),
    customer: (businessId, time) =>
      ofDocuments(
        businessId,
        time,
        sql`customer_id::text`,
        sql`(SELECT name FROM customers c WHERE c.business_id = ${businessId} AND c.customer_id = r.key::bigint)`
      ),
    class: (businessId, time) =>
      ofLines(businessId, time, {
        found: sql`t AS MATERIALIZED (
          SELECT trip_id, details ->> 'vehicle_class' AS vehicle_class FROM trips
          WHERE business_id = ${businessId} AND trip_id = ANY (ARRAY(SELECT trip_id FROM l)))`,
        joined: sql`LEFT JOIN t ON t.trip_id = l.trip_id`,
        key: sql`t.vehicle_class`,
        label: sql`key`
      }),
    product: (businessId, time) =>
      ofLines(businessId, time, {
        found: sql`t AS MATERIALIZED (
          SELECT trip_id, min(product_id) AS product_id FROM bookings
          WHERE business_id = ${businessId} AND trip_id = ANY (ARRAY(SELECT trip_id FROM l)) GROUP BY 1),
        i AS MATERIALIZED (
          SELECT invoice_id, min(product_id) AS product_id FROM bookings
          WHERE business_id = ${businessId} AND invoice_id = ANY (ARRAY(SELECT invoice_id FROM d)) GROUP BY 1)`,
        joined: sql`LEFT JOIN t ON t.trip_id = l.trip_id LEFT JOIN i ON i.invoice_id = l.invoice_id`,
        key: sql`coalesce(t.product_id, i.product_id)::text`,
        label: sql`(SELECT name FROM products c WHERE c.business_id = ${businessId} AND c.product_id = r.key::bigint)`
      })
  }

  /**
   * The completed assignments of completed trips, with the car of each. Both have the date of the pickup, so that PostgreSQL reads the
   * assignments of the time by their index, and not all of them.
   */
  const completedWork = (businessId: BusinessId, { before, from, timezone }: ReportTime) => sql`
    SELECT a.assignment_id, a.driver_id, coalesce(a.car_id, t.car_id) AS car_id, t.trip_date,
      (t.trip_date AT TIME ZONE ${timezone})::date AS day,
      coalesce((t.details ->> 'distance_m')::bigint, 0) AS metres,
      coalesce(round(extract(epoch FROM a.completed_at - a.en_route_at) * 1000), 0)::bigint AS work_ms
    FROM trips t
    JOIN assignments a ON a.business_id = ${businessId} AND a.trip_id = t.trip_id AND a.status = ${sql.literal(assignmentStatuses.completed)}
      AND a.assignment_id > coalesce(t.reopened_after, 0)
      AND a.trip_date >= ${instant(from)} AND a.trip_date < ${instant(before)}
    WHERE t.business_id = ${businessId} AND t.deleted_at IS NULL AND t.status = ${sql.literal(tripStatuses.completed)}
      AND t.trip_date >= ${instant(from)} AND t.trip_date < ${instant(before)}`

  const sums = sql.literal(
    "count(*) AS jobs, sum(w.work_ms)::bigint AS work_ms, sum(w.metres)::bigint AS metres, count(DISTINCT w.day) AS days_used"
  )

  return {
    revenue: (businessId, time, by) => revenueRows(revenueBy[by](businessId, time)),
    taxed: (businessId, time) =>
      taxedRows(
        sql`SELECT currency, subtotal_minor, tax_minor, lines, taxes FROM (${documents(businessId, time)}) d`
          .unprepared
      ),
    trips: (businessId, { before, from }, by) => {
      // Of each trip, one row of its timeline is read. Without the limit inside, PostgreSQL would read it for each comparison.
      const first = sql`LEFT JOIN LATERAL (
        SELECT regexp_replace(c.actor, '^imported:', '') AS actor FROM trip_changes c
        WHERE c.business_id = ${businessId} AND c.trip_id = t.trip_id ORDER BY c.change_id LIMIT 1) f ON true`
      const channel = sql`CASE WHEN f.actor = 'customer' THEN 'website'
        WHEN f.actor LIKE 'api_key:%' THEN 'api' WHEN f.actor IS NOT NULL THEN 'office' END`
      const ofTime = sql`
        SELECT trip_id, status, currency, total_minor, cancellation_fee_minor FROM trips
        WHERE business_id = ${businessId} AND deleted_at IS NULL
          AND trip_date >= ${instant(from)} AND trip_date < ${instant(before)}`
      return tripsRows(
        sql`
          SELECT ${by === "status" ? sql`t.status` : channel} AS key, t.currency, count(*) AS trips,
            sum(CASE WHEN t.status = ${sql.literal(tripStatuses.cancelled)} THEN coalesce(t.cancellation_fee_minor, 0)
              ELSE coalesce(t.total_minor, 0) END)::bigint AS amount_minor
          FROM ${by === "status" ? sql`(${ofTime}) t` : sql`(${ofTime} ORDER BY trip_id) t ${first}`}
          GROUP BY 1, 2`.unprepared
      )
    },
    punctuality: (businessId, time) =>
      punctualityRows(
        sql`
          SELECT r.*, d.name AS driver_name FROM (
            SELECT w.driver_id, count(*) AS jobs, count(late_ms) AS reported,
              count(*) FILTER (WHERE late_ms < 60000) AS on_time,
              count(*) FILTER (WHERE late_ms >= 60000 AND late_ms < 360000) AS late_to_5,
              count(*) FILTER (WHERE late_ms >= 360000 AND late_ms < 960000) AS late_to_15,
              count(*) FILTER (WHERE late_ms >= 960000) AS late_over_15,
              coalesce(sum(late_ms), 0)::bigint AS late_ms
            FROM (
              SELECT w.driver_id, round(extract(epoch FROM m.at - w.trip_date) * 1000)::bigint AS late_ms
              FROM (${completedWork(businessId, time)} ORDER BY a.assignment_id) w
              LEFT JOIN assignment_milestones m ON m.business_id = ${businessId}
                AND m.assignment_id = w.assignment_id AND m.milestone = 'arrived_at_pickup' AND m.stop_index = 0
            ) w GROUP BY 1
          ) r JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = r.driver_id`.unprepared
      ),
    drivers: (businessId, time) =>
      driverRows(
        sql`
          SELECT r.*, d.name AS driver_name FROM (
            SELECT w.driver_id, ${sums} FROM (${completedWork(businessId, time)}) w GROUP BY 1
          ) r JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = r.driver_id`.unprepared
      ),
    cars: (businessId, time) =>
      carRows(
        sql`
          SELECT r.*, c.name AS car_name, c.plate_number FROM (
            SELECT w.car_id, ${sums} FROM (${completedWork(businessId, time)}) w
            WHERE w.car_id IS NOT NULL GROUP BY 1
          ) r JOIN cars c ON c.business_id = ${businessId} AND c.car_id = r.car_id`.unprepared
      ),
    unpaid: (businessId, { before, from, timezone }, today) =>
      unpaidRows(
        sql`
          SELECT CASE WHEN age <= 0 THEN 'not_due' WHEN age <= 30 THEN 'to_30' WHEN age <= 60 THEN 'to_60'
              WHEN age <= 90 THEN 'to_90' ELSE 'over_90' END AS key,
            currency, count(*) AS invoices, sum(due_minor)::bigint AS amount_minor
          FROM (
            SELECT currency, total_minor - credited_minor - paid_minor AS due_minor,
              ${today}::date - coalesce(due_date, issued_on) AS age
            FROM invoices
            WHERE business_id = ${businessId} AND deleted_at IS NULL AND status ${open}
              AND ${from === undefined ? sql`true` : sql`issued_on >= ${dayOf(instant(from), timezone)}`}
              AND ${before === undefined ? sql`true` : sql`issued_on < ${dayOf(instant(before), timezone)}`}
          ) i WHERE due_minor > 0 GROUP BY 1, 2`.unprepared
      )
  }
})
