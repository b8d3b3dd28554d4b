/** The content of an invoice on paper, complete: rendering it needs no other record. */
import type { Currency } from "../../kernel/money/Currency.ts"

/** A postal address as its owner writes it. `city` and `postal_code` are printed below `lines`. */
export interface PostalAddress {
  readonly lines: ReadonlyArray<string>
  readonly postal_code: string | null
  readonly city: string | null
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null
}

/** The seller or the buyer. */
export interface InvoiceParty {
  readonly name: string
  /** The person or department to whom an invoice is addressed, or who can be contacted about it. */
  readonly contact: string | null
  readonly address: PostalAddress
  readonly email: string | null
  readonly phone: string | null
  readonly website: string | null
  /** The VAT identification number with its country prefix: `DE123456789`. */
  readonly vat_id: string | null
  /** The party's number at the local tax office. */
  readonly tax_number: string | null
  /** The number in the register of companies. */
  readonly registration: string | null
}

/**
 * How a line is taxed (EN 16931, code list of categories):
 * - `standard`: at a rate above zero (`S`); `zero`: at a rate of zero (`Z`);
 * - `exempt`: not at all, by law (`E`), as for small businesses; `reverse_charge`: by the buyer (`AE`);
 * - `outside_scope`: not subject to the tax (`O`).
 */
export type TaxCategory = "standard" | "zero" | "exempt" | "reverse_charge" | "outside_scope"

/**
 * The reason of a `reverse_charge` without a wording of the business. Paper shows the words of its language instead; the law of the
 * European Union asks for these words.
 */
export const reverseCharge = "Reverse charge"

/** The unit of a quantity. */
export type QuantityUnit = "piece" | "trip" | "hour" | "day" | "kilometre" | "mile"

/** One line. Numbers that may have fractions are decimal texts: `"2.5"`. A deduction has a negative quantity. */
export interface InvoiceDocumentLine {
  readonly description: string
  /** A second, smaller row, for example date, route and reference of a trip. */
  readonly details: string | null
  readonly quantity: string
  readonly unit: QuantityUnit
  /** The price without tax of `base_quantity` units, or of one unit. */
  readonly unit_price_minor: number
  readonly base_quantity?: string
  /** The price of one unit and the amount with tax, if the price of the line contains it: paper shows them instead. */
  readonly with_tax?: { readonly unit_price_minor: number; readonly amount_minor: number }
  readonly tax_category: TaxCategory
  /** The sum of its rates in percent: `"7.7"`. */
  readonly tax_rate: string
  /** The rates of a line with several taxes. */
  readonly tax_rates?: ReadonlyArray<string>
  /** The line's amount without tax. */
  readonly net_minor: number
}

/** The tax of all lines of one category and rate. */
export interface InvoiceTax {
  readonly category: TaxCategory
  /** Such as `GST`; absent for a tax without a name of its own. */
  readonly name?: string
  /** In percent: `"7.7"`. */
  readonly rate: string
  readonly taxable_minor: number
  readonly tax_minor: number
  /** Why no tax is charged; required by law for `exempt` and `reverse_charge`. */
  readonly reason: string | null
}

/** The bank account for a transfer. */
export interface BankAccount {
  readonly holder: string
  readonly iban: string
  readonly bic: string | null
  readonly bank: string | null
}

/** A complete invoice or credit note. Amounts in minor units of `currency`, days as `YYYY-MM-DD`. */
export interface InvoiceDocument {
  readonly kind: "invoice" | "credit_note"
  readonly number: string
  readonly issued_on: string
  readonly due_on: string | null
  /** The days on which the services were rendered; equal for a single day. */
  readonly service_period: { readonly from: string; readonly to: string } | null
  /** BCP 47; it decides the language and how dates and amounts are written. */
  readonly locale: string
  readonly currency: Currency
  readonly seller: InvoiceParty
  readonly buyer: InvoiceParty
  /** The reference that the buyer asks for (BT-10), such as the Leitweg-ID of a German authority. */
  readonly buyer_reference: string | null
  readonly po_number: string | null
  readonly cost_center: string | null
  /** For a credit note, the number of the invoice that it corrects. */
  readonly corrected_number: string | null
  readonly lines: ReadonlyArray<InvoiceDocumentLine>
  readonly taxes: ReadonlyArray<InvoiceTax>
  readonly subtotal_minor: number
  readonly tax_minor: number
  readonly total_minor: number
  readonly paid_minor: number
  /** The sum of the credit notes of an invoice. */
  readonly credited_minor: number
  readonly due_minor: number
  readonly voided: boolean
  /** The page where the customer pays by card; null if nothing is due or there is no such page. */
  readonly payment_url: string | null
  readonly bank_account: BankAccount | null
  readonly notes: string | null
  /** A PNG or JPEG image. */
  readonly logo: Uint8Array | null
}
