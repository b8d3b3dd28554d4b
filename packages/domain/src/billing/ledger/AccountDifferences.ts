/** Compares the stored sums of an invoice with those that follow from its lines, its credit notes and its ledger. */
import { Schema } from "effect"
import { BusinessId, InvoiceId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import type { InvoiceAccount } from "./AccountRepository.ts"
import { creditSums, isCovered } from "./Credit.ts"
import type { CreditNote } from "./CreditNote.ts"
import { isInForce } from "../invoice/Invoice.ts"
import type { InvoiceLine } from "../invoice/InvoiceLine.ts"
import { netOf, settled, sumsOf, type TaxOfRate } from "../invoice/InvoiceSums.ts"
import { invoiceStatusOf, tripPaymentStatusOf } from "../invoice/InvoiceStatus.ts"
import {
  balanceOf,
  countsTowardsInvoice,
  excessOfLedger,
  netOfLedger,
  referredKinds,
  unreversedOf
} from "./LedgerBalance.ts"
import type { Payment } from "./Payment.ts"
import { type Posting, postingsOf, receivableOf } from "./Posting.ts"

/**
 * A stored value that differs from the computed one. Amounts are in minor units. `invoice_id` is null for numbers
 * with gaps, and for trips that are on no invoice.
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

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)

const comparedLines = (
  document: string,
  lines: ReadonlyArray<InvoiceLine>,
  currency: Currency,
  earlier: ReadonlyArray<InvoiceLine> = []
): ReadonlyArray<Compared> => {
  const computed = lines.map((line) => ({
    ...line,
    net_minor: netOf(line.unit_price_minor, line.quantity, currency)
  }))
  return settled(computed, currency, earlier).map(({ net_minor }, index) => [
    `amount of line ${index + 1}${document}`,
    lines[index]?.net_minor ?? 0,
    net_minor
  ])
}

const textOfTaxes = (taxes: ReadonlyArray<TaxOfRate>) =>
  taxes
    .map(
      ({ name, rate, tax_minor, taxable_minor }) =>
        `${[...(name === undefined ? [] : [name]), `${rate} %`].join(" ")} of ${taxable_minor}: ${tax_minor}`
    )
    .join(", ")

/** The amounts that a credit note took from payments, in minor units. */
const creditedBy = ({ number }: CreditNote, entries: ReadonlyArray<Payment>) =>
  sum(
    entries
      .filter(({ kind, reference }) => kind === "credit" && reference === number)
      .map(({ amount_minor }) => amount_minor)
  )

const comparedNotes = ({ entries, invoice, notes }: InvoiceAccount): ReadonlyArray<Compared> =>
  notes.flatMap((note, index): ReadonlyArray<Compared> => {
    const earlier = notes.slice(0, index)
    const { taxes, ...sums } = creditSums(invoice, earlier, note.lines)
    const name = `credit note ${note.number}`
    return [
      ...comparedLines(
        ` of ${name}`,
        note.lines,
        note.currency,
        earlier.flatMap(({ lines }) => lines)
      ),
      [`subtotal of ${name}`, note.subtotal_minor, sums.subtotal_minor],
      [`tax of ${name}`, note.tax_minor, sums.tax_minor],
      [`taxes of ${name}`, textOfTaxes(note.taxes), textOfTaxes(taxes)],
      [`total of ${name}`, note.total_minor, sums.total_minor],
      [`currency of ${name}`, note.currency, invoice.currency],
      [
        `${name}, of what the invoice charges`,
        isCovered(invoice, earlier, note.lines) ? "covered" : "beyond",
        "covered"
      ],
      [`amount that ${name} took from payments`, creditedBy(note, entries), note.refund_minor]
    ]
  })

/** The kind of the entry that an entry refers to; for an amount that was received, that it refers to none. */
const referredKind = ({ kind, refund_of }: Payment, { entries, linked }: InvoiceAccount) =>
  refund_of === null
    ? "none"
    : ((kind === "from_credit" ? [...entries, ...linked] : entries).find(
        ({ payment_id }) => payment_id === refund_of
      )?.kind ?? "no entry of the invoice")

const comparedReference = (entry: Payment, account: InvoiceAccount): Compared => {
  const kind = referredKind(entry, account)
  const permitted: ReadonlyArray<string> = referredKinds[entry.kind]
  return [
    `kind of the entry to which ${entry.kind} ${entry.payment_id} refers`,
    kind,
    permitted.includes(kind) ? kind : permitted.join(" or ")
  ]
}

/** A use of credit is one amount on two invoices, and so is its return. */
const comparedCredit = (entry: Payment, { entries, linked }: InvoiceAccount): ReadonlyArray<Compared> => {
  const all = [...entries, ...linked]
  const referring = (other: Payment, ...kinds: ReadonlyArray<Payment["kind"]>) =>
    sum(
      all
        .filter(({ kind, refund_of }) => refund_of === other.payment_id && kinds.includes(kind))
        .map(({ amount_minor }) => amount_minor)
    )
  if (entry.kind === "credit_used")
    return [
      [
        `credit ${entry.payment_id} that another invoice has`,
        referring(entry, "from_credit"),
        entry.amount_minor
      ]
    ]
  const use =
    entry.kind === "from_credit" ? all.find(({ payment_id }) => payment_id === entry.refund_of) : undefined
  return use === undefined
    ? []
    : [
        [`amount from credit ${entry.payment_id}`, entry.amount_minor, use.amount_minor],
        [`currency of credit ${entry.payment_id}`, entry.currency, use.currency],
        [
          `returned amount of credit ${entry.payment_id}`,
          referring(use, "credit_returned"),
          referring(entry, "correction", "excess_correction")
        ]
      ]
}

const comparedEntries = (account: InvoiceAccount): ReadonlyArray<Compared> => {
  const { entries, invoice } = account
  return entries.flatMap((entry): ReadonlyArray<Compared> => {
    const { counted, excess } = balanceOf(entry, entries)
    const unreversed = unreversedOf(entry, entries)
    return [
      comparedReference(entry, account),
      ...comparedCredit(entry, account),
      [
        `currency of ${entry.kind} ${entry.payment_id}`,
        entry.currency,
        countsTowardsInvoice(entry) ? invoice.currency : entry.currency
      ],
      [`what is left of payment ${entry.payment_id}`, counted, Math.max(counted, 0)],
      [`what is left of the excess ${entry.payment_id}`, excess, Math.max(excess, 0)],
      [`what was not reversed of refund ${entry.payment_id}`, unreversed, Math.max(unreversed, 0)]
    ]
  })
}

/** A line of an invoice in force charges only trips that are on this invoice. Otherwise, another one could charge them, too. */
const comparedTrips = ({ charged, invoice }: InvoiceAccount): ReadonlyArray<Compared> =>
  isInForce(invoice)
    ? charged.map(({ invoice_id, trip_id }): Compared => [
        `invoice of trip ${trip_id}, which a line charges`,
        invoice_id ?? "none",
        invoice.invoice_id
      ])
    : []

/** The postings of an invoice, its credit notes and its payments: what the exports of the books are made of. */
const journalOf = ({ entries, invoice, notes }: InvoiceAccount): ReadonlyArray<Posting> =>
  [
    { type: "invoice" as const, invoice },
    ...(invoice.voided_at === null ? [] : [{ type: "void" as const, invoice }]),
    ...notes.map((note) => ({ type: "credit_note" as const, note, invoice })),
    ...entries
      .filter(({ currency }) => currency === invoice.currency)
      .map((payment) => ({
        type: "payment" as const,
        payment: {
          ...payment,
          refers_to: entries.find(({ payment_id }) => payment_id === payment.refund_of)?.kind ?? null
        },
        invoice
      }))
  ].flatMap(postingsOf)

const excess = ({ entries, invoice }: InvoiceAccount) => excessOfLedger(entries, invoice.currency)

/**
 * An invoice that was emailed, viewed or paid is sealed, and a sealed invoice has a snapshot with the same total: its document is drawn
 * from the snapshot.
 */
const comparedSnapshot = ({ entries, invoice, sealedLines }: InvoiceAccount): ReadonlyArray<Compared> => [
  [
    "seal of an invoice that was emailed, viewed or paid",
    invoice.sealed_at === null &&
    (invoice.sent_at !== null || invoice.viewed_at !== null || entries.length > 0)
      ? "none"
      : "as expected",
    "as expected"
  ],
  ["snapshot", sealedLines === null ? "none" : "one", invoice.sealed_at === null ? "none" : "one"],
  ...(sealedLines === null
    ? []
    : [
        [
          "total of the snapshot",
          sumsOf(sealedLines, invoice.currency).total_minor,
          invoice.total_minor
        ] as const
      ])
]

/** The differences of one invoice. */
export const differencesOf = (account: InvoiceAccount): ReadonlyArray<MoneyDifference> => {
  const { entries, invoice, isDeleted, notes, trips } = account
  const { business_id, currency, invoice_id, lines, paid_minor, voided_at } = invoice
  const sums = sumsOf(lines, currency)
  const net = netOfLedger(entries)
  const credited = -sum(
    notes.map((note, at) => creditSums(invoice, notes.slice(0, at), note.lines).total_minor)
  )
  const rest = sums.total_minor - credited
  const status =
    invoice.number === ""
      ? "draft"
      : invoiceStatusOf({ total_minor: rest, net_minor: net, voided: voided_at !== null })
  const compared: ReadonlyArray<Compared> = [
    ...comparedLines("", lines, currency),
    ["subtotal", invoice.subtotal_minor, sums.subtotal_minor],
    ["tax", invoice.tax_minor, sums.tax_minor],
    ["total", invoice.total_minor, sums.total_minor],
    ["amount paid", paid_minor, net],
    ["status", invoice.status, status],
    [
      "receivables in the journal",
      receivableOf(journalOf(account)),
      (voided_at === null ? rest : -credited) - net - excess(account)
    ],
    ["status of a deleted invoice", status, isDeleted ? "void" : status],
    ["amount credited", invoice.credited_minor, credited],
    ["amount to refund", invoice.excess_minor, excessOfLedger(entries, currency)],
    ["amount paid, of the total at most", Math.max(net, 0), Math.min(Math.max(net, 0), rest)],
    ...comparedNotes(account),
    ["amount paid, not negative", net, Math.max(net, 0)],
    ["amount paid of a void invoice", voided_at === null ? 0 : net, 0],
    ...comparedEntries(account),
    ...trips.flatMap((trip): ReadonlyArray<Compared> => [
      [`payment status of trip ${trip.trip_id}`, trip.payment_status, tripPaymentStatusOf(status)],
      [`currency of trip ${trip.trip_id}`, trip.currency, currency]
    ]),
    ...comparedTrips(account),
    ...comparedSnapshot(account)
  ]
  return compared
    .filter(([, stored, computed]) => stored !== computed)
    .map(([what, stored, computed]) => ({ business_id, invoice_id, what, stored, computed }))
}
