/** The domain's `InvoiceRepository` on PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  BusinessId,
  Currency,
  CustomerId,
  InvoiceId,
  InvoiceRepository,
  InvoiceStatus,
  TripId
} from "@livery/domain"
import { pagesOf } from "../sql/Pages.ts"
import { Instant } from "../sql/Rows.ts"

const InvoiceRow = Schema.Struct({
  invoice_id: InvoiceId,
  business_id: BusinessId,
  number: Schema.String,
  customer_id: Schema.NullOr(CustomerId),
  status: InvoiceStatus,
  currency: Currency,
  subtotal_minor: Schema.Int,
  tax_minor: Schema.Int,
  total_minor: Schema.Int,
  paid_minor: Schema.Int,
  due_date: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  trip_ids: Schema.Array(TripId),
  sent_at: Schema.NullOr(Instant),
  viewed_at: Schema.NullOr(Instant),
  created_at: Instant,
  updated_at: Instant
})

const pageOfInvoices = pagesOf(InvoiceRow)

export const layer = Layer.effect(
  InvoiceRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return InvoiceRepository.of({
      ofCustomer: (businessId, customerId, page) =>
        pageOfInvoices(sql, page, {
          columns: sql`i.*, ARRAY(
            SELECT t.trip_id FROM trips t
            WHERE t.business_id = i.business_id AND t.invoice_id = i.invoice_id AND t.deleted_at IS NULL
            ORDER BY t.trip_id) AS trip_ids`,
          from: sql`invoices i`,
          where: sql`i.business_id = ${businessId} AND i.customer_id = ${customerId}`,
          order: sql`i.invoice_id DESC`
        })
    })
  })
)
