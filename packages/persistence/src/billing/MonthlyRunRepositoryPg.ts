import { Effect, Schema } from "effect"
import {
  BusinessId,
  Currency,
  CustomerId,
  type ItemPlace,
  type ItemWork,
  MonthlyRun,
  MonthlyRunId,
  MonthlyRunInput,
  MonthlyRunItem,
  MonthlyRunRepository,
  type UninvoicedTrips
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, firstOf, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const runs = rowsAs(MonthlyRun)
const items = rowsAs(MonthlyRunItem)
const places = rowsAs(
  Schema.Struct({
    business_id: BusinessId,
    run_id: MonthlyRunId,
    customer_id: CustomerId,
    currency: Currency
  })
)
const ids = rowsAs(Schema.Struct({ run_id: MonthlyRunId }))
const encodeTerms = Schema.encodeSync(MonthlyRunInput)

/** The condition that an item waits for work. */
const waits: Readonly<Record<ItemWork, string>> = {
  raise: "outcome = 'pending'",
  send: "sending = 'pending'"
}

export const layer = onPostgres(MonthlyRunRepository, (sql) => {
  const runColumns = sql.literal(columnsOf(MonthlyRun))
  const itemColumns = sql.literal(columnsOf(MonthlyRunItem))
  const find = (businessId: BusinessId, runId: MonthlyRunId) =>
    firstOf(
      runs(
        sql`SELECT ${runColumns} FROM monthly_runs WHERE business_id = ${businessId} AND run_id = ${runId}`
      )
    )
  const isItem = ({ business_id, currency, customer_id, run_id }: ItemPlace) => sql`
    business_id = ${business_id} AND run_id = ${run_id} AND customer_id = ${customer_id} AND currency = ${currency}`
  const finish = (businessId: BusinessId, runId: MonthlyRunId, now: Date) =>
    execute(sql`
      UPDATE monthly_runs SET finished_at = ${now}
      WHERE business_id = ${businessId} AND run_id = ${runId} AND finished_at IS NULL AND NOT EXISTS (
        SELECT FROM monthly_run_items
        WHERE business_id = ${businessId} AND run_id = ${runId} AND (outcome = 'pending' OR sending = 'pending'))`)

  return {
    start: Effect.fnUntraced(function* (
      { business_id, month, terms, trips_without_customer },
      customers: ReadonlyArray<UninvoicedTrips>,
      now
    ) {
      const inserted = yield* ids(sql`
        INSERT INTO monthly_runs (business_id, month, terms, trips_without_customer, created_at)
        VALUES (${business_id}, ${month}, ${JSON.stringify(encodeTerms(terms))}, ${trips_without_customer}, ${instant(now)})
        ON CONFLICT (business_id, month) WHERE finished_at IS NULL DO NOTHING RETURNING run_id`)
      const [made] = inserted
      if (made !== undefined) {
        yield* execute(sql`
          INSERT INTO monthly_run_items (business_id, run_id, customer_id, currency, outcome, left_out)
          SELECT ${business_id}::bigint, ${made.run_id}::bigint, c.customer_id, c.currency, 'pending', '[]'
          FROM unnest(${customers.map(({ customerId }) => customerId)}::bigint[],
            ${customers.map(({ currency }) => currency)}::text[]) AS c (customer_id, currency)`)
        yield* finish(business_id, made.run_id, instant(now))
      }
      const isStarted =
        made === undefined ? sql`month = ${month} AND finished_at IS NULL` : sql`run_id = ${made.run_id}`
      return yield* oneRow(
        runs(sql`SELECT ${runColumns} FROM monthly_runs WHERE business_id = ${business_id} AND ${isStarted}`)
      )
    }),
    find,
    items: (businessId, runId) =>
      items(sql`
        SELECT ${itemColumns} FROM monthly_run_items WHERE business_id = ${businessId} AND run_id = ${runId}
        ORDER BY customer_id, currency`),
    waiting: (work, after, most) => {
      const isAfter =
        after === null
          ? sql`true`
          : sql`(business_id, run_id, customer_id, currency) >
              (${after.business_id}, ${after.run_id}, ${after.customer_id}, ${after.currency})`
      return places(sql`
        SELECT business_id, run_id, customer_id, currency FROM monthly_run_items
        WHERE ${sql.literal(waits[work])} AND ${isAfter}
        ORDER BY business_id, run_id, customer_id, currency LIMIT ${most}`)
    },
    lock: (work, place) =>
      firstOf(
        items(sql`
          SELECT ${itemColumns} FROM monthly_run_items WHERE ${isItem(place)} AND ${sql.literal(waits[work])}
          FOR NO KEY UPDATE SKIP LOCKED`)
      ),
    update: Effect.fnUntraced(function* (item, now) {
      const { business_id, invoice_id, left_out, outcome, reason, run_id, sending } = item
      yield* execute(sql`
        UPDATE monthly_run_items SET outcome = ${outcome}, invoice_id = ${invoice_id},
          left_out = ${JSON.stringify(left_out)}, sending = ${sending}, reason = ${reason}
        WHERE ${isItem(item)}`)
      yield* finish(business_id, run_id, instant(now))
    })
  }
})
