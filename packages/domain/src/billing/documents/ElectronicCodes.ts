/** The codes of electronic invoices, which both syntaxes share. */
import type { InvoiceDocument, QuantityUnit, TaxCategory } from "./InvoiceDocument.ts"

/** The codes of the units (UN/ECE Recommendation 20). */
export const unitCodes: Readonly<Record<QuantityUnit, string>> = {
  piece: "C62",
  trip: "E54",
  hour: "HUR",
  day: "DAY",
  kilometre: "KMT",
  mile: "SMI"
}

/** The codes of the tax categories (UNTDID 5305). */
export const categoryCodes: Readonly<Record<TaxCategory, string>> = {
  standard: "S",
  zero: "Z",
  exempt: "E",
  reverse_charge: "AE",
  outside_scope: "O"
}

/** The codes of the documents (UNTDID 1001): commercial invoice, credit note. */
export const typeCodes = { invoice: "380", credit_note: "381" } as const

/** The codes of the means of payment (UNTDID 4461): SEPA transfer, another transfer, online payment service. */
const meansCodes = { sepa: "58", transfer: "30", online: "68" }

/** The code of the means of payment of a document; null if it names none. */
export const meansCodeOf = ({ bank_account, currency, payment_url }: InvoiceDocument): string | null => {
  if (bank_account !== null) return currency === "EUR" ? meansCodes.sepa : meansCodes.transfer
  return payment_url === null ? null : meansCodes.online
}
