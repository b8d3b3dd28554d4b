/** An invoice as its link shows it. */
import type { Brand } from "../shell/Brand.ts"

/** The record of `GET /public/invoices/{payment_hash}`. */
export interface Invoice {
  readonly number: string
  readonly status: "unpaid" | "partial" | "paid" | "void"
  readonly currency: string
  readonly items: ReadonlyArray<{
    readonly description: string
    readonly quantity: number
    readonly amount: number
    readonly gross_amount: number | null
  }>
  readonly subtotal: number
  readonly tax_total: number
  readonly tax_breakdown: ReadonlyArray<{
    readonly name: string | null
    readonly rate: number
    readonly tax_amount: number
  }>
  readonly total_amount: number
  readonly amount_paid: number
  readonly amount_credited: number
  readonly amount_due: number
  readonly due_date: string | null
  readonly overdue: boolean
  readonly business: Brand
  readonly bank_account: {
    readonly holder: string
    readonly iban: string
    readonly bic: string | null
  } | null
  readonly part_payments_allowed: boolean
  readonly card: { readonly publishable_key: string; readonly api_base: string | null } | null
}

/** The record of `POST /public/invoices/{payment_hash}/pay`. */
export interface CardPayment {
  readonly client_secret: string
  readonly amount: number
  readonly currency: string
}
