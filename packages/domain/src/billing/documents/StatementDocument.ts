/** The content of a customer's statement on paper. */
import type { InvoiceBuyer, InvoiceSeller } from "../invoice/InvoiceParties.ts"
import type { StatementAccount, CustomerStatementQuery } from "../ledger/Statement.ts"
import { bankOf, localeOf, namedParty, sellerOf } from "./InvoiceDescription.ts"
import type { BankAccount, InvoiceParty } from "./InvoiceDocument.ts"

/** A statement, complete: rendering it needs no other record. */
export interface StatementDocument {
  readonly kind: "statement"
  readonly from: string
  readonly to: string
  /** BCP 47. */
  readonly locale: string
  readonly seller: InvoiceParty
  readonly buyer: InvoiceParty
  readonly accounts: ReadonlyArray<StatementAccount>
  /** Null if the customer owes nothing. */
  readonly bank_account: BankAccount | null
  /** A PNG or JPEG image. */
  readonly logo: Uint8Array | null
}

/** The description of a statement. */
export const statementDocumentOf = (
  { from, to }: CustomerStatementQuery,
  accounts: ReadonlyArray<StatementAccount>,
  parties: { readonly seller: InvoiceSeller; readonly buyer: InvoiceBuyer },
  logo: Uint8Array | null
): StatementDocument => ({
  kind: "statement",
  from,
  to,
  locale: localeOf(parties) ?? "en",
  seller: sellerOf(parties.seller),
  buyer: namedParty(parties.buyer),
  accounts,
  bank_account: accounts.some(({ closing_minor }) => closing_minor > 0) ? bankOf(parties.seller) : null,
  logo
})
