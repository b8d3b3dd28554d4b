/** The domain's `InvoiceRepository` on PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Invoice, InvoiceRepository } from "@livery/domain"
import { columnsOf } from "../sql/Columns.ts"
import { business, forBusiness } from "../sql/ForBusiness.ts"
import { pagesOf } from "../sql/Pages.ts"

const pageOfInvoices = pagesOf(Invoice)

const tripIds = `ARRAY(
  SELECT t.trip_id FROM trips t
  WHERE t.business_id = ${business} AND t.invoice_id = i.invoice_id AND t.deleted_at IS NULL ORDER BY t.trip_id)`

export const layer = Layer.effect(
  InvoiceRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = forBusiness(sql, columnsOf(Invoice, "i", { trip_ids: tripIds }))
    return InvoiceRepository.of({
      ofCustomer: (businessId, customerId, page) =>
        pageOfInvoices(sql, page, {
          columns: columns(businessId),
          from: sql`invoices i`,
          where: sql`i.business_id = ${businessId} AND i.customer_id = ${customerId}`,
          order: sql`i.invoice_id DESC`
        })
    })
  })
)
