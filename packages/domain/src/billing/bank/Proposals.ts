/** Proposing the invoices that an entry of a bank statement pays. A person decides. */
import { toMajor } from "../../kernel/money/Money.ts"
import { folded } from "../../kernel/search/Folding.ts"
import type { BankEntry, Proposal, ProposalReason } from "./BankStatement.ts"
import type { OpenInvoice } from "./BankStatementRepository.ts"

/** The most proposals of an entry. */
const maxProposals = 10

const certainty: Readonly<Record<ProposalReason, number>> = { reference: 4, amount: 2, name: 1 }

const compact = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase()

/** Whether a text has a number, however it is spaced, and no longer number that begins with it. */
const finderOf = (number: string) => {
  const short = compact(number)
  const pattern = new RegExp(`(?<!\\d)${Array.from(short).join("[^\\p{L}\\p{N}]*")}(?!\\d)`, "u")
  // In a structured reference, digits stand before the number: RF18INV000012.
  const isLettered = /^\p{L}/u.test(short)
  const inReference = new RegExp(`${isLettered ? "" : "(?<!\\d)"}${short}(?!\\d)`, "u")
  return (text: string, reference: string) =>
    short !== "" &&
    ((compact(text).includes(short) && pattern.test(text.toUpperCase())) ||
      inReference.test(compact(reference)))
}

/** The words of a name. Banks write `ue` for `ü`, and leave out accents. */
const wordsOf = (name: string) =>
  folded(name)
    .replaceAll(/([aou])e/gu, "$1")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** Whether the payer's name has every word of a name, or, if it is several words, is a part of it. */
const isNamed = (payer: ReadonlyArray<string>, name: string | null) => {
  const words = name === null ? [] : wordsOf(name)
  if (words.join("").length < 3) return false
  return (
    words.every((word) => payer.includes(word)) ||
    (payer.length > 1 && payer.every((word) => words.includes(word)))
  )
}

/** The proposals for each of some entries, the surest first, and among equally sure ones the oldest invoice first. */
export const proposalsFor = (
  entries: ReadonlyArray<BankEntry>,
  invoices: ReadonlyArray<OpenInvoice>
): ReadonlyArray<ReadonlyArray<Proposal>> => {
  const candidates = invoices.map((invoice) => ({ invoice, isIn: finderOf(invoice.number) }))
  return entries.map((entry) => {
    if (entry.status !== "open") return []
    const payer = wordsOf(entry.payer_name ?? "")
    return candidates
      .flatMap(({ invoice, isIn }) => {
        if (invoice.currency !== entry.currency) return []
        const reasons: ReadonlyArray<ProposalReason> = [
          ...(isIn(entry.text ?? "", entry.structured_reference ?? "") ? (["reference"] as const) : []),
          ...(invoice.due_minor === entry.amount_minor ? (["amount"] as const) : []),
          ...(isNamed(payer, invoice.name) || isNamed(payer, invoice.company) ? (["name"] as const) : [])
        ]
        return reasons.length === 0 ? [] : [{ invoice, reasons }]
      })
      .toSorted((one, other) => {
        const sure = ({ reasons }: typeof one) => reasons.reduce((sum, reason) => sum + certainty[reason], 0)
        return sure(other) - sure(one) || one.invoice.invoice_id - other.invoice.invoice_id
      })
      .slice(0, maxProposals)
      .map(({ invoice: { company, currency, due_minor, invoice_id, name, number }, reasons }) => ({
        invoice_id,
        number,
        customer_name: company ?? name,
        amount_due: toMajor({ minor: due_minor, currency }),
        reasons
      }))
  })
}
