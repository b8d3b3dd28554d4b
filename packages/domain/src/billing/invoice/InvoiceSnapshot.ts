/** The state in which an invoice was sealed (docs/api/invoices.md): its documents are drawn from it. */
import { Schema, SchemaTransformation } from "effect"
import { TripId } from "../../kernel/Ids.ts"
import type { Invoice } from "./Invoice.ts"
import type { InvoiceFacts } from "./InvoiceFactsRepository.ts"
import { InvoiceLine } from "./InvoiceLine.ts"
import { InvoiceBuyer, InvoiceSeller } from "./InvoiceParties.ts"
import { InvoiceStatus } from "./InvoiceStatus.ts"

const InvoicedTrip = Schema.Struct({
  trip_id: TripId,
  trip_date: Schema.DateTimeUtc,
  pickup_timezone: Schema.NullOr(Schema.String),
  customer_name: Schema.String,
  customer_email: Schema.NullOr(Schema.String),
  po_number: Schema.NullOr(Schema.String),
  cost_center: Schema.NullOr(Schema.String)
})

const earlierBuyer = Schema.Struct({
  ...InvoiceBuyer.fields,
  language: Schema.optionalKey(Schema.NullOr(Schema.String)),
  buyer_reference: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** The customer. Snapshots of an earlier version lack the latest fields. */
const SnapshotBuyer: Schema.Codec<InvoiceBuyer, typeof earlierBuyer.Type> = earlierBuyer.pipe(
  Schema.decodeTo(
    Schema.toType(InvoiceBuyer),
    SchemaTransformation.transform<InvoiceBuyer, typeof earlierBuyer.Type>({
      decode: (stored) => ({ language: null, buyer_reference: null, ...stored }),
      encode: (buyer) => buyer
    })
  )
)

/** The parties, the trips and the time zone, and the fields of the invoice that may change after it was sealed. */
export const InvoiceSnapshot = Schema.Struct({
  timezone: Schema.String,
  seller: InvoiceSeller,
  buyer: Schema.NullOr(SnapshotBuyer),
  trips: Schema.Array(InvoicedTrip),
  invoice: Schema.Struct({
    status: InvoiceStatus,
    lines: Schema.Array(InvoiceLine),
    paid_minor: Schema.Int,
    credited_minor: Schema.Int,
    notes: Schema.NullOr(Schema.String)
  })
})
export type InvoiceSnapshot = typeof InvoiceSnapshot.Type

/** The snapshot of an invoice that is sealed now. */
export const snapshotOf = (
  { credited_minor, lines, notes, paid_minor, status }: Invoice,
  facts: InvoiceFacts,
  timezone: string
): InvoiceSnapshot => ({
  timezone,
  ...facts,
  invoice: { status, lines, paid_minor, credited_minor, notes }
})

/** An invoice as it was when it was sealed. */
export const asSealed = (invoice: Invoice, snapshot: InvoiceSnapshot): Invoice => ({
  ...invoice,
  ...snapshot.invoice
})

/** The PDF of a sealed invoice in the file store, and what is known of its drawing. */
export const KeptPdf = Schema.Struct({
  file: Schema.String,
  size: Schema.Int,
  pages: Schema.Int,
  missing_characters: Schema.Array(Schema.String),
  logo: Schema.Literals(["none", "drawn", "unusable"]),
  electronic: Schema.Union([
    Schema.TaggedStruct("attached", {}),
    Schema.TaggedStruct("not_expected", {}),
    Schema.TaggedStruct("incomplete", { faults: Schema.Array(Schema.String) })
  ])
})
export type KeptPdf = typeof KeptPdf.Type

/** What is stored of a sealed invoice. `kept_pdf` is null until the PDF is drawn for the first time. */
export const SealedInvoice = Schema.Struct({ snapshot: InvoiceSnapshot, kept_pdf: Schema.NullOr(KeptPdf) })
export type SealedInvoice = typeof SealedInvoice.Type
