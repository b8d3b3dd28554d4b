import { Effect, Schema } from "effect"
import { Payment, Remittance, RemittanceId, RemittanceRepository } from "@livery/domain"
import { pagesOf } from "../sql/lists/Pages.ts"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { execute, firstOf, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const remittances = rowsAs(Remittance)
const pages = pagesOf(Remittance)
const EntryRow = Schema.Struct({ ...Payment.fields, remittance_id: RemittanceId })
const entries = rowsAs(EntryRow)

const insertedNames = Object.keys(Remittance.fields).filter(
  (name) => !["remittance_id", "created_at"].includes(name)
)

export const layer = onPostgres(RemittanceRepository, (sql) => {
  const columns = sql.literal(columnsOf(Remittance))
  const entryColumns = sql.literal(columnsOf(Payment, "p"))
  return {
    insert: Effect.fnUntraced(function* (remittance, paymentIds, now) {
      const row = { ...valuesOf(insertedNames, remittance), created_at: instant(now) }
      const stored = yield* oneRow(
        remittances(sql`INSERT INTO remittances ${sql.insert(row)} RETURNING ${columns}`)
      )
      const { business_id, remittance_id } = stored
      yield* execute(sql`
        INSERT INTO remittance_payments (business_id, remittance_id, payment_id)
        SELECT ${business_id}::bigint, ${remittance_id}::bigint, unnest(${paymentIds}::bigint[])`)
      return stored
    }),
    find: (businessId, remittanceId) =>
      firstOf(
        remittances(sql`
          SELECT ${columns} FROM remittances WHERE business_id = ${businessId} AND remittance_id = ${remittanceId}`)
      ),
    list: (businessId, page) =>
      pages(sql, page, {
        columns,
        from: sql.literal("remittances"),
        where: sql`business_id = ${businessId}`,
        order: sql.literal("remittance_id DESC")
      }),
    entriesOf: (businessId, remittanceIds) =>
      Effect.map(
        entries(sql`
          SELECT ${entryColumns}, r.remittance_id FROM remittance_payments r
          JOIN payments p ON p.business_id = ${businessId} AND p.payment_id = r.payment_id
          WHERE r.business_id = ${businessId} AND r.remittance_id = ANY(${remittanceIds}::bigint[])
          ORDER BY r.payment_id`),
        (rows) => rows.map(({ remittance_id, ...entry }) => ({ remittance_id, entry }))
      )
  }
})
