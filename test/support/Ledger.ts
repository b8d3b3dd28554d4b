/** What the API says of the books of a business: its invoices, credit notes and payments, and their sums by currency. */
import type { CreditNoteRecord, InvoiceRecord, PaymentRecord } from "@livery/domain"
import { assert } from "vitest"
import type { Answer, Client } from "./Client.ts"

/** The data of an answer that has to be a success. */
export const dataOf = <A>({ body, status, text }: Answer<A>): A => {
  assert.isBelow(status, 300, text)
  return body.data
}

/** An amount of a response, or a decimal text with a point or a comma, in cents. */
export const centsOf = (amount: unknown): number => Math.round(Number(String(amount).replace(",", ".")) * 100)

/** Sums in cents by a key, without the sums of zero. */
export class Sums {
  private readonly sums = new Map<string, number>()

  add(key: string, cents: number): void {
    this.sums.set(key, (this.sums.get(key) ?? 0) + cents)
  }

  get all(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      [...this.sums].filter(([, cents]) => cents !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
    )
  }
}

/** How an entry of the ledger changes the money that was received; entries that move none are absent. */
const directions: Readonly<Record<string, number>> = {
  payment: 1,
  excess: 1,
  reversal: 1,
  excess_reversal: 1,
  refund: -1,
  excess_refund: -1,
  correction: -1,
  excess_correction: -1
}

const pagesOf = async <A>(api: Client, path: string): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (let page = 1; ; page++) {
    const answer = await api.get<ReadonlyArray<A>>(`${path}?per_page=100&page=${page}`)
    all.push(...dataOf(answer))
    if (answer.body.meta.pagination?.has_more !== true) return all
  }
}

/**
 * Reads all invoices with their credit notes and payments. Void invoices and drafts count for nothing; `taxes` are by currency,
 * name and rate: `CAD QST 9.975`.
 */
export const ledgerOf = async (api: Client) => {
  const [invoiced, net, tax, received, receivable, taxes] = Array.from({ length: 6 }, () => new Sums())
  const read = async (invoice: InvoiceRecord) => {
    if (invoice.status === "void" || invoice.status === "draft") return
    const path = `/invoices/${invoice.invoice_id}`
    const notes = await pagesOf<CreditNoteRecord>(api, `${path}/credit-notes`)
    const entries = await pagesOf<PaymentRecord>(api, `${path}/payments`)
    const { currency } = invoice
    for (const document of [invoice, ...notes]) {
      invoiced?.add(currency, centsOf(document.total_amount))
      net?.add(currency, centsOf(document.subtotal))
      tax?.add(currency, centsOf(document.tax_total))
      for (const { name, rate, tax_amount } of document.tax_breakdown)
        taxes?.add([currency, name, rate].filter((part) => part !== null).join(" "), centsOf(tax_amount))
    }
    const kinds = new Map(entries.map(({ kind, payment_id }) => [payment_id, kind]))
    for (const { amount, kind, refund_of } of entries) {
      // The correction of a use of credit moves no money either.
      if (refund_of !== null && kinds.get(refund_of) === "from_credit") continue
      received?.add(currency, (directions[kind] ?? 0) * centsOf(amount))
    }
    receivable?.add(currency, centsOf(invoice.amount_due) - centsOf(invoice.amount_to_refund))
  }
  for (const invoice of await pagesOf<InvoiceRecord>(api, "/invoices")) await read(invoice)
  const sums = { invoiced, net, tax, received, receivable, taxes }
  return Object.fromEntries(Object.entries(sums).map(([name, of]) => [name, of?.all ?? {}])) as Readonly<
    Record<keyof typeof sums, Readonly<Record<string, number>>>
  >
}
