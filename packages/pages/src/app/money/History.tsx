/** What happened to an invoice, in words. */
import type { InvoiceTimeline } from "@livery/client"
import type { JSX } from "preact"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { momentOf } from "../Formats.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import type { InvoiceProps } from "./InvoiceRecord.tsx"
import type { MoneyWords } from "./words/en.ts"

/** The fields that a change names, by their names in the API. */
const fieldNames: Readonly<Record<string, keyof MoneyWords>> = {
  customer_id: "customer",
  items: "lines",
  issued_on: "issued",
  due_date: "due",
  service_from: "service_from",
  service_to: "service_to",
  buyer_reference: "buyerReference",
  notes: "notes",
  untaxed_as: "untaxed_as",
  untaxed_reason: "untaxedReason"
}

/** The sentence for a change. */
const sentenceOf = ({ change, fields }: InvoiceTimeline, words: MoneyWords): string =>
  fill(words[`change_${change}`], {
    fields:
      fields
        .flatMap((name) => (fieldNames[name] === undefined ? [] : [words[fieldNames[name]]]))
        .join(", ") || words.details
  })

export const History = ({ invoice, reading: { at }, words }: InvoiceProps): JSX.Element => {
  const id = invoice.invoice_id
  // Not `updated_at`: two changes within a second share it.
  const reading = useReading(`timeline of invoice ${id} ${at}`, async () => {
    const { data } = await api.invoices.timeline({ id, per_page: 100 }).page()
    return data
  })
  return (
    <section class="card record wide">
      <h2>{words.timeline}</h2>
      <Loaded reading={reading} words={words} heights={[120]}>
        {(changes) => (
          <ol class="timeline">
            {changes.map((change) => (
              <li key={change.change_id}>
                <time dateTime={change.at}>{momentOf(change.at)}</time>
                <span>
                  {sentenceOf(change, words)} <bdi class="muted small">{change.actor_name}</bdi>
                </span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  )
}
