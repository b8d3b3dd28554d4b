/** The domain's `PaymentRepository` on PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Payment, PaymentRepository } from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/Columns.ts"
import { pagesOf } from "../sql/Pages.ts"
import { instant, rowsAs } from "../sql/Rows.ts"

const payments = rowsAs(Payment)
const pageOfPayments = pagesOf(Payment)

const insertedNames = Object.keys(Payment.fields).filter(
  (name) => !["payment_id", "created_at"].includes(name)
)

export const layer = Layer.effect(
  PaymentRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(Payment))

    return PaymentRepository.of({
      append: Effect.fnUntraced(function* (entry, now) {
        const row = { ...valuesOf(insertedNames, entry), created_at: instant(now) }
        const [stored] = yield* payments(sql`INSERT INTO payments ${sql.insert(row)} RETURNING ${columns}`)
        return yield* Effect.orDie(Effect.fromNullishOr(stored))
      }),
      ofInvoice: (businessId, invoiceId) =>
        payments(sql`
          SELECT ${columns} FROM payments WHERE business_id = ${businessId} AND invoice_id = ${invoiceId}
          ORDER BY payment_id`),
      list: (businessId, invoiceId, page) =>
        pageOfPayments(sql, page, {
          columns,
          from: sql`payments`,
          where: sql`business_id = ${businessId} AND invoice_id = ${invoiceId}`,
          order: sql`payment_id`
        })
    })
  })
)
