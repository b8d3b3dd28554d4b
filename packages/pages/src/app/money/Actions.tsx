/** What can be done with an invoice: issue, email, its link and PDF, correct, void. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { CreditNoteReason } from "@livery/client"
import { failureOf } from "../../api/Failure.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { Notice } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { useCommands } from "../Keys.ts"
import { mayWrite } from "../Member.ts"
import { Ask } from "../parts/Ask.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { Removal } from "../parts/Removal.tsx"
import { navigate } from "../Router.ts"
import { attempt, save } from "../parts/Files.ts"
import type { InvoiceProps } from "./InvoiceRecord.tsx"
import { itemsOf, LineFields, linesOf } from "./Lines.tsx"
import { nameOf } from "./Status.tsx"
import type { MoneyWords } from "./words/en.ts"

type Closing = InvoiceProps & { readonly onClose: () => void }

const reasons: ReadonlyArray<CreditNoteReason> = ["cancellation", "price", "complaint", "duplicate", "other"]

/** Why an invoice is credited or corrected. */
export const ReasonField = ({
  first,
  words
}: {
  readonly first: CreditNoteReason
  readonly words: MoneyWords
}): JSX.Element => (
  <Field label={words.reason}>
    {(control) => (
      <select {...control} name="reason" defaultValue={first}>
        {reasons.map((name) => (
          <option key={name} value={name} selected={name === first}>
            {words[`reason_${name}`]}
          </option>
        ))}
      </select>
    )}
  </Field>
)

const Emailing = ({ invoice, onClose, reading, words }: Closing) => {
  const [question, setQuestion] = useState<string>()
  return (
    <Dialog title={fill(words.emailTitle, { name: nameOf(invoice, words) })} onClose={onClose}>
      <Form
        submit={question === undefined ? words.send : words.sendAnyway}
        words={words}
        explain={({ type }) => (type === "confirmation_required" ? question : undefined)}
        onSubmit={async ({ message = "", to = "" }) => {
          try {
            const sent = await api.invoicePdfs.email({
              id: invoice.invoice_id,
              ...(to === "" ? {} : { to }),
              ...(message === "" ? {} : { message }),
              ...(question === undefined ? {} : { force: true })
            })
            toast(fill(words.emailTaken, { to: sent.to }))
          } catch (error) {
            const failure = failureOf(error)
            // Sending once more confirms what the server asked.
            if (failure.type === "confirmation_required") setQuestion(failure.message)
            throw failure
          }
          reading.reload()
          onClose()
        }}
      >
        {(failure) => (
          <>
            <Field label={words.emailTo} error={fieldError(failure, "to", words)}>
              {(control) => <input {...control} name="to" type="email" dir="auto" />}
            </Field>
            <Field label={words.message} error={fieldError(failure, "message", words)}>
              {(control) => <textarea {...control} name="message" dir="auto" />}
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

const Reminding = ({ invoice, onClose, reading, words }: Closing) => (
  <Ask
    title={fill(words.remindTitle, { name: nameOf(invoice, words) })}
    submit={words.remind}
    anyway={words.remindAgain}
    question={words.remindedToday}
    fields={[
      { name: "to", label: words.emailTo, kind: "email", value: "" },
      { name: "fee", label: words.withFee, kind: "flag", value: "true", isRequired: true }
    ]}
    run={async ({ fee, to }, force) => {
      const sent = await api.invoicePdfs.remind({
        id: invoice.invoice_id,
        fee: fee !== false,
        ...(typeof to === "string" && { to }),
        ...force
      })
      toast(fill(words.reminded, { to: sent.to, level: String(sent.level) }))
      reading.reload()
    }}
    onClose={onClose}
    words={words}
  >
    <p class="muted">
      {invoice.reminder_level === 0
        ? words.remindFirst
        : fill(words.remindHelp, { level: String(invoice.reminder_level) })}
    </p>
  </Ask>
)

const Correcting = ({ invoice, onClose, words }: Closing) => {
  const [lines, setLines] = useState(linesOf(invoice.items))
  return (
    <Dialog title={fill(words.correctTitle, { name: nameOf(invoice, words) })} onClose={onClose}>
      <p class="muted">{words.correctHelp}</p>
      <Form
        submit={words.correct}
        words={words}
        onSubmit={async ({ reason }) => {
          const after = await api.invoices.correct({
            id: invoice.invoice_id,
            items: itemsOf(lines),
            reason: reason as CreditNoteReason
          })
          toast(fill(words.created, { name: nameOf(after, words) }))
          onClose()
          navigate(`/money/${after.invoice_id}`)
        }}
      >
        {(failure) => (
          <>
            <ReasonField first="price" words={words} />
            <LineFields lines={lines} onChange={setLines} failure={failure} words={words} />
          </>
        )}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </Dialog>
  )
}

const Ending = ({ invoice, onClose, reading, words }: Closing) => {
  const name = nameOf(invoice, words)
  const id = invoice.invoice_id
  return invoice.status === "draft" ? (
    <Removal
      name={name}
      words={words}
      onClose={onClose}
      onRemove={async (force) => {
        await api.invoices.remove({ id, force })
        toast(fill(words.deleted, { name }))
        navigate("/money", { replace: true })
      }}
    />
  ) : (
    <Confirm
      title={fill(words.voidTitle, { name })}
      submit={words.voidIt}
      words={words}
      onClose={onClose}
      onConfirm={async () => {
        reading.set(await api.invoices.void({ id }))
        toast(fill(words.voided, { name }))
      }}
    >
      <p class="muted">{words.voidHelp}</p>
    </Confirm>
  )
}

const Issuing = ({ invoice, onClose, reading, words }: Closing) => (
  <Confirm
    title={words.issueTitle}
    submit={words.issue}
    words={words}
    onClose={onClose}
    onConfirm={async () => {
      const after = await api.invoices.issue({ id: invoice.invoice_id })
      reading.set(after)
      toast(fill(words.isIssued, { name: nameOf(after, words) }))
    }}
  >
    <p class="muted">{words.issueHelp}</p>
  </Confirm>
)

const dialogs = { issue: Issuing, email: Emailing, remind: Reminding, correct: Correcting, end: Ending }

/** The address at which the holder of the link pays: beside the office, also below a path of a proxy. */
const payerLink = (hash: string) =>
  `${location.origin}${location.pathname.replace(/\/app(?=\/|$).*$/u, "")}/pay#invoice=${hash}`

export const Actions = (props: InvoiceProps): JSX.Element => {
  const { invoice, words } = props
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const [link, setLink] = useState<string>()
  const mayEdit = mayWrite("billing")
  const { status } = invoice
  const isDraft = status === "draft"
  const isVoid = status === "void"
  const copy = async () => {
    const address = payerLink(invoice.payment_hash)
    try {
      await navigator.clipboard.writeText(address)
      toast(words.linkCopied)
    } catch {
      // Without the right to copy, the link is shown to be selected.
      setLink(address)
    }
  }
  const pdf = () =>
    attempt(
      async () =>
        save(
          await api.invoicePdfs.pdf({ id: invoice.invoice_id }),
          `${invoice.number ?? words.draft}.pdf`.replaceAll("/", "-")
        ),
      words
    )
  const xrechnung = () =>
    attempt(
      async () =>
        save(
          await api.invoicePdfs.xrechnung({ id: invoice.invoice_id }),
          `${invoice.number ?? words.draft}.xml`.replaceAll("/", "-")
        ),
      words
    )
  const isOverdue = invoice.overdue && invoice.sealed_at !== null && invoice.fee_of_invoice_id === null
  const actions: ReadonlyArray<readonly [keyof typeof dialogs, string, boolean]> = [
    ["issue", words.issue, invoice.sealed_at === null && !isVoid],
    ["email", words.emailIt, !isDraft && !isVoid],
    ["remind", words.remind, isOverdue],
    ["correct", words.correct, invoice.sealed_at !== null && !isVoid],
    ["end", isDraft ? words.delete : words.voidIt, isDraft || invoice.allowed_transitions.includes("void")]
  ]
  const shown = mayEdit ? actions.filter(([, , isPossible]) => isPossible) : []
  const keys = { issue: "i", email: "m", remind: "n", correct: "c", end: "x" } as const
  useCommands([
    ...shown.map(([name, label]) => ({ key: keys[name], label, run: () => setOpen(name) })),
    { key: "p", label: words.pdf, run: () => void pdf() }
  ])
  const Open = open === undefined ? undefined : dialogs[open]
  return (
    <>
      {shown.map(([name, label], index) => (
        <button
          key={name}
          type="button"
          class={index === 0 && name !== "end" ? "button primary" : "button"}
          onClick={() => setOpen(name)}
        >
          {label}
        </button>
      ))}
      <button type="button" class="button" onClick={() => void pdf()}>
        {words.pdf}
      </button>
      {!isDraft && (
        <button type="button" class="button" onClick={() => void xrechnung()}>
          {words.xrechnung}
        </button>
      )}
      {!isDraft && !isVoid && (
        <button type="button" class="button" onClick={() => void copy()}>
          {words.payerLink}
        </button>
      )}
      {link !== undefined && <Notice role="status">{fill(words.linkShown, { link })}</Notice>}
      {Open !== undefined && <Open {...props} onClose={() => setOpen(undefined)} />}
    </>
  )
}
