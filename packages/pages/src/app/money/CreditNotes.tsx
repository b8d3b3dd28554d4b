/** The credit notes of an invoice: of all that remains, or of some lines. */
import type { CreditNoteReason } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Dialog } from "../../components/Dialog.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { momentOf, money } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { ReasonField } from "./Actions.tsx"
import { attempt, save } from "../parts/Files.ts"
import type { InvoiceProps } from "./InvoiceRecord.tsx"
import { itemsOf, LineFields, linesOf } from "./Lines.tsx"
import { nameOf } from "./Status.tsx"

const Crediting = ({
  invoice,
  onClose,
  onDone,
  words
}: InvoiceProps & { readonly onClose: () => void; readonly onDone: () => void }) => {
  const [isWhole, setWhole] = useState(true)
  const [lines, setLines] = useState(linesOf(invoice.items))
  return (
    <Dialog title={fill(words.creditTitle, { name: nameOf(invoice, words) })} onClose={onClose}>
      <Form
        submit={words.newCreditNote}
        words={words}
        onSubmit={async ({ notes = "", reason, refund }) => {
          const { number } = await api.creditNotes.create({
            id: invoice.invoice_id,
            reason: reason as CreditNoteReason,
            refund: refund !== undefined,
            ...(notes === "" ? {} : { notes }),
            ...(isWhole ? {} : { items: itemsOf(lines) })
          })
          toast(fill(words.creditMade, { number }))
          onDone()
          onClose()
        }}
      >
        {(failure) => (
          <>
            <ReasonField first="cancellation" words={words} />
            <Field label={words.amount}>
              {(control) => (
                <select {...control} onChange={({ currentTarget: { value } }) => setWhole(value === "all")}>
                  <option value="all">{words.creditAll}</option>
                  <option value="lines">{words.creditLines}</option>
                </select>
              )}
            </Field>
            {!isWhole && <LineFields lines={lines} onChange={setLines} failure={failure} words={words} />}
            <label class="check-line">
              <input type="checkbox" name="refund" />
              {words.withRefund}
            </label>
            <Field label={words.notes} error={fieldError(failure, "notes", words)}>
              {(control) => <textarea {...control} name="notes" dir="auto" />}
            </Field>
          </>
        )}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </Dialog>
  )
}

export const CreditNotes = (props: InvoiceProps): JSX.Element => {
  const { invoice, reading, words } = props
  const id = invoice.invoice_id
  const notes = useReading(`credit notes ${id} ${reading.at}`, async () => {
    const { data } = await api.creditNotes.list({ id, per_page: 100 }).page()
    return data
  })
  const [isCrediting, setCrediting] = useState(false)
  const mayCredit = mayWrite("billing") && invoice.status !== "draft" && invoice.status !== "void"
  const pdf = (credit_note_id: number, number: string) =>
    attempt(
      async () =>
        save(await api.creditNotes.pdf({ id, credit_note_id }), `${number.replaceAll("/", "-")}.pdf`),
      words
    )
  return (
    <section class="card record">
      <div class="record-head">
        <h2>{words.creditNotes}</h2>
        {mayCredit && (
          <button type="button" class="button small-button" onClick={() => setCrediting(true)}>
            {words.newCreditNote}
          </button>
        )}
      </div>
      <Loaded reading={notes} words={words} heights={[40]}>
        {(all) =>
          all.length === 0 ? (
            <p class="muted">{words.noCreditNotes}</p>
          ) : (
            <ul class="plain-list">
              {all.map((note) => (
                <li key={note.credit_note_id}>
                  <button
                    type="button"
                    class="link"
                    onClick={() => void pdf(note.credit_note_id, note.number)}
                  >
                    <bdi>{note.number}</bdi> ({words.pdf})
                  </button>{" "}
                  {momentOf(note.created_at)} · {words[`reason_${note.reason}`]} ·{" "}
                  <strong>{money(note.total_amount, note.currency)}</strong>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isCrediting && <Crediting {...props} onClose={() => setCrediting(false)} onDone={reading.reload} />}
    </section>
  )
}
