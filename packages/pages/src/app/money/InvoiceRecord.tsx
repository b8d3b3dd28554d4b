/** One invoice: its lines and sums, its details in place, payments, credit notes and history. */
import type { Invoice } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Failure } from "../../api/Failure.ts"
import { Form } from "../../components/Form.tsx"
import { Notice } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { momentOf, money } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { type Changes, changesOf, RecordCard, type RecordField, useEditFocus } from "../parts/Record.tsx"
import { guard, hrefOf } from "../Router.ts"
import { changed } from "../Undo.ts"
import { Actions } from "./Actions.tsx"
import { CreditNotes } from "./CreditNotes.tsx"
import { History } from "./History.tsx"
import { InvoiceTrips } from "./InvoiceTrips.tsx"
import { itemsOf, LineFields, linesOf, LineTable } from "./Lines.tsx"
import { Payments } from "./Payments.tsx"
import { Preview } from "./Preview.tsx"
import { CustomerName, nameOf, StatusBadge } from "./Status.tsx"
import type { MoneyWords } from "./words/en.ts"

/** What the parts of an invoice's screen need. */
export interface InvoiceProps {
  readonly invoice: Invoice
  readonly reading: Reading<Invoice>
  readonly words: MoneyWords
}

const dayField = (
  name: "due_date" | "issued_on" | "service_from" | "service_to",
  label: string,
  invoice: Invoice
): RecordField => ({
  name,
  label,
  kind: "date",
  value: invoice[name] ?? "",
  shown: invoice[name] === null ? "" : format.day(invoice[name])
})

const sumsOf = ({ amount_credited, amount_due, amount_paid, amount_to_refund }: Invoice, words: MoneyWords) =>
  [
    [words.paidSoFar, amount_paid],
    [words.credited, amount_credited],
    [words.toRefund, amount_to_refund],
    [words.open, amount_due]
  ] as ReadonlyArray<readonly [string, number]>

const fixed = (name: string, label: string, shown: RecordField["shown"]): RecordField => ({
  name,
  label,
  kind: "fixed",
  value: "",
  shown
})

const fieldsOf = (invoice: Invoice, words: MoneyWords): ReadonlyArray<RecordField> => {
  const isSealed = invoice.sealed_at !== null
  const own: ReadonlyArray<RecordField> = [
    dayField("issued_on", words.issued, invoice),
    dayField("due_date", words.due, invoice),
    dayField("service_from", words.service_from, invoice),
    dayField("service_to", words.service_to, invoice),
    { name: "buyer_reference", label: words.buyerReference, value: invoice.buyer_reference ?? "" },
    {
      name: "untaxed_as",
      label: words.untaxed_as,
      value: invoice.untaxed_as,
      isRequired: true,
      shown: invoice.tax_total === 0 ? words[invoice.untaxed_as] : "",
      options: (["zero_rated", "exempt", "reverse_charge", "outside_scope"] as const).map(
        (it) => [it, words[it]] as const
      )
    },
    { name: "untaxed_reason", label: words.untaxedReason, value: invoice.untaxed_reason ?? "" }
  ]
  const link = (id: number | null) => id !== null && <a href={hrefOf(`/money/${id}`)}>{words.openInvoice}</a>
  return [
    fixed("customer_id", words.customer, <CustomerName id={invoice.customer_id} isLink />),
    ...(isSealed
      ? own.map(({ label, name, shown, value }) => fixed(name, label, shown ?? (value && <bdi>{value}</bdi>)))
      : own),
    { name: "notes", label: words.notes, value: invoice.notes ?? "", kind: "area" },
    fixed("corrects", words.corrects, link(invoice.corrects_invoice_id)),
    fixed("corrected", words.correctedBy, link(invoice.corrected_by_invoice_id)),
    fixed("fee_of", words.feeOf, link(invoice.fee_of_invoice_id)),
    fixed(
      "reminded",
      words.lastReminder,
      invoice.last_reminder_at !== null &&
        fill(words.lastReminderText, {
          level: String(invoice.reminder_level),
          at: momentOf(invoice.last_reminder_at)
        })
    ),
    fixed(
      "reminder_fees",
      words.reminderFees,
      invoice.reminder_fees > 0 && money(invoice.reminder_fees, invoice.currency)
    ),
    fixed("sent", words.sentAt, invoice.sent_at !== null && momentOf(invoice.sent_at)),
    fixed("viewed", words.viewedAt, invoice.viewed_at !== null && momentOf(invoice.viewed_at))
  ]
}

const Details = ({ invoice, reading, words }: InvoiceProps) => {
  const id = invoice.invoice_id
  const fields = fieldsOf(invoice, words)
  const save = async (changes: Changes) => {
    const after = await api.invoices.update({ id, ...changes }, { ifMatch: invoice })
    const before = changesOf(
      fields.filter(({ name }) => name in changes).map((field) => ({ ...field, value: "\0" })),
      Object.fromEntries(fields.map(({ name, value }) => [name, value]))
    )
    reading.set(after)
    changed(words.saved, words, async () =>
      reading.set(await api.invoices.update({ id, ...before }, { ifMatch: after }))
    )
  }
  return (
    <RecordCard
      title={words.details}
      fields={fields}
      mayEdit={mayWrite("billing") && invoice.status !== "void"}
      onSave={save}
      onReload={reading.reload}
      words={words}
    />
  )
}

const EditedLines = ({ invoice, onEnd, reading, words }: InvoiceProps & { readonly onEnd: () => void }) => {
  const before = linesOf(invoice.items)
  const [lines, setLines] = useState(before)
  const isDirty = JSON.stringify(lines) !== JSON.stringify(before)
  // oxlint-disable-next-line no-alert -- the browser's own question cannot be missed
  useEffect(() => guard(() => !isDirty || confirm(words.unsaved)), [isDirty])
  const explain = (failure: Failure) =>
    failure.type === "conflict" && failure.status === 412 ? words.changedMeanwhile : undefined
  return (
    <>
      <Form
        submit={words.save}
        words={words}
        explain={explain}
        onSubmit={async () => {
          const id = invoice.invoice_id
          reading.set(await api.invoices.update({ id, items: itemsOf(lines) }, { ifMatch: invoice }))
          changed(words.saved, words)
          onEnd()
        }}
      >
        {(failure) => <LineFields lines={lines} onChange={setLines} failure={failure} words={words} />}
      </Form>
      <button type="button" class="button" onClick={onEnd}>
        {words.cancel}
      </button>
    </>
  )
}

const Lines = (props: InvoiceProps) => {
  const { invoice, words } = props
  const [isEditing, setEditing] = useState(false)
  const edited = useEditFocus(isEditing)
  const mayEdit = mayWrite("billing") && invoice.sealed_at === null && invoice.status !== "void"
  return (
    <section class="card record wide" ref={edited}>
      <div class="record-head">
        <h2>{words.lines}</h2>
        {mayEdit && !isEditing && (
          <button type="button" class="button small-button" data-edit onClick={() => setEditing(true)}>
            {words.edit}
            <span class="unseen"> {words.lines}</span>
          </button>
        )}
      </div>
      {isEditing ? (
        <EditedLines {...props} onEnd={() => setEditing(false)} />
      ) : (
        <LineTable
          document={invoice}
          more={sumsOf(invoice, words).filter(([label, amount]) => amount !== 0 || label === words.open)}
          words={words}
        />
      )}
    </section>
  )
}

/** What became of the email, with the reason if it was given up. */
const EmailState = ({ invoice: { email_failed_at, email_status, number }, words }: InvoiceProps) => {
  const reading = useReading(`letter ${number} ${email_failed_at}`, async () => {
    if (email_status !== "failed") return ""
    const { data } = await api.letters.failed({ per_page: 100 }).page()
    return data.find(({ kind, reference }) => kind === "invoice" && reference === number)?.reason ?? ""
  })
  if (email_status === "failed")
    return (
      <Notice tone="bad">
        {words.emailFailed} <bdi>{reading.data}</bdi>
      </Notice>
    )
  return email_status === "queued" ? <Notice icon="clock">{words.emailQueued}</Notice> : null
}

export const InvoiceRecord = ({
  id,
  words
}: {
  readonly id: number
  readonly words: MoneyWords
}): JSX.Element => {
  const reading = useReading<Invoice>(`invoice ${id}`, () => api.invoices.read({ id }))
  return (
    <Loaded reading={reading} words={words}>
      {(invoice) => {
        const props = { invoice, reading, words }
        return (
          <Page
            title={
              <>
                <bdi>{nameOf(invoice, words)}</bdi> <StatusBadge invoice={invoice} words={words} />
              </>
            }
            actions={<Actions {...props} />}
          >
            {!mayWrite("billing") && <p class="muted">{words.readOnly}</p>}
            {mayWrite("billing") && invoice.sealed_at !== null && <p class="muted">{words.sealedHint}</p>}
            <EmailState {...props} />
            <div class="invoice-beside">
              <div class="record-grid">
                <Lines {...props} />
                <Payments {...props} />
                <Details {...props} />
                <InvoiceTrips {...props} />
                <CreditNotes {...props} />
                <History {...props} />
              </div>
              <Preview {...props} />
            </div>
          </Page>
        )
      }}
    </Loaded>
  )
}
