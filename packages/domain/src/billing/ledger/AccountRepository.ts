/** The port that reads invoices with everything that their sums are computed from. */
import { Context, type Effect } from "effect"
import type { BusinessId, InvoiceId, RemittanceId, TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import type { PaymentStatus } from "../../trips/trip/TripStatus.ts"
import type { CreditNote } from "./CreditNote.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { InvoiceLine } from "../invoice/InvoiceLine.ts"
import type { Payment } from "./Payment.ts"

/**
 * An invoice with everything that its sums are computed from. `linked` are entries of other invoices that use credit of this one,
 * or whose credit it uses, and those that return such credit. `trips` are those on the invoice; `charged` are those that its
 * lines name, deleted ones included, each with the invoice that it is on.
 */
export interface InvoiceAccount {
  readonly invoice: Invoice
  readonly entries: ReadonlyArray<Payment>
  readonly linked: ReadonlyArray<Payment>
  readonly notes: ReadonlyArray<CreditNote>
  readonly trips: ReadonlyArray<{
    readonly trip_id: TripId
    readonly payment_status: PaymentStatus
    readonly currency: Currency
  }>
  readonly charged: ReadonlyArray<{ readonly trip_id: TripId; readonly invoice_id: InvoiceId | null }>
  readonly isDeleted: boolean
  /** The lines of its snapshot; null if it has none. */
  readonly sealedLines: ReadonlyArray<InvoiceLine> | null
}

/** A trip that has the payment status of an invoice, and is on none. */
export interface UninvoicedTrip {
  readonly business_id: BusinessId
  readonly trip_id: TripId
  readonly payment_status: PaymentStatus
}

/** A remittance whose amount is not the sum of the entries that it made. */
export interface UnequalRemittance {
  readonly business_id: BusinessId
  readonly remittance_id: RemittanceId
  readonly amount_minor: number
  readonly entered_minor: number
}

/** The position of an invoice in the order of businesses and ids. */
export type AccountPosition = readonly [businessId: BusinessId, invoiceId: InvoiceId]

/**
 * The port that reads the invoices of all businesses, deleted ones included.
 *
 * - `page`: at most `size` invoices after a position, by business and id, with everything else at the same point in time, so
 *   that a payment that is entered meanwhile is in all of it or in none.
 * - `count`: how many there are.
 * - `gaps`: the businesses whose invoices or credit notes are not numbered 1, 2, 3, … without a gap, or whose next number does
 *   not follow.
 * - `unequalRemittances`: the remittances whose amount is not the sum of their entries.
 * - `paidWithoutInvoice`: the trips on no invoice whose payment status is another one than `unpaid`.
 */
export class AccountRepository extends Context.Service<
  AccountRepository,
  {
    readonly page: (
      after: AccountPosition | null,
      size: number
    ) => Effect.Effect<ReadonlyArray<InvoiceAccount>>
    readonly count: Effect.Effect<number>
    readonly gaps: Effect.Effect<ReadonlyArray<BusinessId>>
    readonly unequalRemittances: Effect.Effect<ReadonlyArray<UnequalRemittance>>
    readonly paidWithoutInvoice: Effect.Effect<ReadonlyArray<UninvoicedTrip>>
  }
>()("@livery/domain/AccountRepository") {}
