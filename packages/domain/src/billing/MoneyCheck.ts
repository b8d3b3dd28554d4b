/** Recomputes the sums of every invoice from its lines and its ledger, and reports each difference. */
import { Context, Effect, Layer, Schema } from "effect"
import { BusinessId, InvoiceId } from "../kernel/Ids.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import { type AccountPosition, AccountRepository, type InvoiceAccount } from "./AccountRepository.ts"
import { creditSums, isCovered } from "./Credit.ts"
import { sumsOf } from "./InvoiceLine.ts"
import { invoiceStatusOf, tripPaymentStatusOf } from "./InvoiceStatus.ts"
import { balanceOf, excessOfLedger, netOfLedger, unreversedOf } from "./LedgerBalance.ts"
import type { Payment } from "./Payment.ts"
import { traced } from "../kernel/TracedFunction.ts"

/**
 * A stored value that differs from the computed one. Amounts are in minor units. `invoice_id` is null for numbers
 * with gaps.
 */
export const MoneyDifference = Schema.Struct({
  business_id: BusinessId,
  invoice_id: Schema.NullOr(InvoiceId),
  what: Schema.String,
  stored: Schema.Union([Schema.String, Schema.Finite]),
  computed: Schema.Union([Schema.String, Schema.Finite])
})
export type MoneyDifference = typeof MoneyDifference.Type

/** A stored value and the computed one that it must equal. */
type Compared = readonly [name: string, stored: string | number, computed: string | number]

/** The credit notes of an invoice with their computed sums, and whether the invoice covers each. */
const computedNotes = ({ invoice, notes }: InvoiceAccount) =>
  notes.map((note, index) => {
    const earlier = notes.slice(0, index)
    return {
      note,
      sums: creditSums(invoice, earlier, note.lines),
      isCovered: isCovered(invoice, earlier, note.lines)
    }
  })

const comparedNotes = (computed: ReturnType<typeof computedNotes>): ReadonlyArray<Compared> =>
  computed.flatMap(({ isCovered: isNoteCovered, note, sums }): ReadonlyArray<Compared> => [
    [`subtotal of credit note ${note.number}`, note.subtotal_minor, sums.subtotal_minor],
    [`tax of credit note ${note.number}`, note.tax_minor, sums.tax_minor],
    [`total of credit note ${note.number}`, note.total_minor, sums.total_minor],
    [
      `credit note ${note.number}, of what the invoice charges`,
      isNoteCovered ? "covered" : "beyond",
      "covered"
    ]
  ])

const comparedEntries = (entries: ReadonlyArray<Payment>): ReadonlyArray<Compared> =>
  entries.flatMap((entry): ReadonlyArray<Compared> => {
    const { counted, excess } = balanceOf(entry, entries)
    const unreversed = unreversedOf(entry, entries)
    return [
      [`what is left of payment ${entry.payment_id}`, counted, Math.max(counted, 0)],
      [`what is left of the excess ${entry.payment_id}`, excess, Math.max(excess, 0)],
      [`what was not reversed of refund ${entry.payment_id}`, unreversed, Math.max(unreversed, 0)]
    ]
  })

/** The differences of one invoice. */
export const differencesOf = (account: InvoiceAccount): ReadonlyArray<MoneyDifference> => {
  const { entries, invoice, notes, trips } = account
  const { business_id, currency, invoice_id, lines, paid_minor, voided_at } = invoice
  const sums = sumsOf(lines, currency)
  const net = netOfLedger(entries)
  const credits = computedNotes(account)
  const credited = credits.reduce((total, credit) => total - credit.sums.total_minor, 0)
  const rest = sums.total_minor - credited
  const status = invoiceStatusOf({ total_minor: rest, net_minor: net, voided: voided_at !== null })
  const compared: ReadonlyArray<Compared> = [
    ["subtotal", invoice.subtotal_minor, sums.subtotal_minor],
    ["tax", invoice.tax_minor, sums.tax_minor],
    ["total", invoice.total_minor, sums.total_minor],
    ["amount paid", paid_minor, net],
    ["status", invoice.status, status],
    ["amount credited", invoice.credited_minor, credited],
    ["amount to refund", invoice.excess_minor, excessOfLedger(entries, currency)],
    ["amount paid, of the total at most", Math.max(net, 0), Math.min(Math.max(net, 0), rest)],
    ...comparedNotes(credits),
    [
      "amount that credit notes took from payments",
      entries.reduce((total, { amount_minor, kind }) => total + (kind === "credit" ? amount_minor : 0), 0),
      notes.reduce((total, { refund_minor }) => total + refund_minor, 0)
    ],
    ["amount paid, not negative", net, Math.max(net, 0)],
    ["amount paid of a void invoice", voided_at === null ? 0 : net, 0],
    ...comparedEntries(entries),
    ...trips.map(({ payment_status, trip_id }): Compared => [
      `payment status of trip ${trip_id}`,
      payment_status,
      tripPaymentStatusOf(status)
    ])
  ]
  return compared
    .filter(([, stored, computed]) => stored !== computed)
    .map(([what, stored, computed]) => ({ business_id, invoice_id, what, stored, computed }))
}

const pageSize = 500

/**
 * - `run`: the differences of all invoices, and the businesses whose numbers have gaps. It changes nothing. The progress is in
 *   invoices.
 */
export class MoneyCheck extends Context.Service<
  MoneyCheck,
  { readonly run: (onProgress?: OnProgress) => Effect.Effect<ReadonlyArray<MoneyDifference>> }
>()("@livery/domain/MoneyCheck") {
  static readonly layer = Layer.effect(
    MoneyCheck,
    Effect.map(AccountRepository, (accounts) =>
      MoneyCheck.of({
        run: traced("MoneyCheck.run")(function* (onProgress?: OnProgress) {
          const differences: Array<MoneyDifference> = []
          const total = onProgress === undefined ? 0 : yield* accounts.count
          let done = 0
          let after: AccountPosition | null = null
          for (;;) {
            const page: ReadonlyArray<InvoiceAccount> = yield* accounts.page(after, pageSize)
            differences.push(...page.flatMap(differencesOf))
            onProgress?.((done += page.length), total)
            const last = page.at(-1)
            if (last === undefined) break
            after = [last.invoice.business_id, last.invoice.invoice_id]
          }
          for (const business_id of yield* accounts.gaps)
            differences.push({
              business_id,
              invoice_id: null,
              what: "numbers",
              stored: "gaps",
              computed: "none"
            })
          return differences
        })
      })
    )
  )
}
