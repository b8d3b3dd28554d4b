import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Payment, PaymentRepository } from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { firstOf, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { makeEntriesOfInvoice } from "./InvoiceEntries.ts"

const payments = rowsAs(Payment)
const makeEntries = makeEntriesOfInvoice(Payment, "payments", "payment_id")

const insertedNames = Object.keys(Payment.fields).filter(
  (name) => !["payment_id", "created_at"].includes(name)
)

export const layer = Layer.effect(
  PaymentRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { list, ofInvoice } = yield* makeEntries
    const columns = sql.literal(columnsOf(Payment))

    return PaymentRepository.of({
      append: Effect.fnUntraced(function* (entry, now) {
        const row = { ...valuesOf(insertedNames, entry), created_at: instant(now) }
        return yield* oneRow(payments(sql`INSERT INTO payments ${sql.insert(row)} RETURNING ${columns}`))
      }),
      find: (businessId, paymentId) =>
        firstOf(
          payments(sql`
            SELECT ${columns} FROM payments WHERE business_id = ${businessId} AND payment_id = ${paymentId}`)
        ),
      ofInvoice,
      list
    })
  })
)
