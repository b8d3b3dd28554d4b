/** The payments of an invoice: recorded, refunded, reversed, and taken from the credit of the customer. */
import type { BookingPayment } from "@livery/client"
import type { ComponentChildren, JSX } from "preact"
import { useState } from "preact/hooks"
import { Dialog } from "../../components/Dialog.tsx"
import { Form, type Typed } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { localOf, momentOf, money } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { mayRead, mayWrite } from "../Member.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { type RecordField, RecordFields } from "../parts/Record.tsx"
import { attempt } from "../parts/Files.ts"
import type { InvoiceProps } from "./InvoiceRecord.tsx"
import { textOf, valueOf } from "./Lines.tsx"
import type { MoneyWords } from "./words/en.ts"

type Change =
  | { readonly kind: "record" }
  | { readonly kind: "refund" | "reverse"; readonly payment: BookingPayment }

const methods = ["bank_transfer", "cash", "card", "other"] as const

const typedOf = (typed: Typed, name: string) => {
  const text = typed[name]?.trim() ?? ""
  return text === "" ? {} : { [name]: text }
}

const recordFields = (due: number, words: MoneyWords): ReadonlyArray<RecordField> => [
  {
    name: "amount",
    label: words.amount,
    kind: "number",
    value: due > 0 ? textOf(due) : "",
    isRequired: true
  },
  {
    name: "method",
    label: words.method,
    value: "bank_transfer",
    isRequired: true,
    options: methods.map((name) => [name, words[name]] as const)
  },
  {
    name: "received_at",
    label: words.received,
    kind: "datetime-local",
    value: localOf(Date.now())
  },
  { name: "reference", label: words.reference, value: "" }
]

const fieldsOf = (change: Change, due: number, words: MoneyWords): ReadonlyArray<RecordField> => {
  if (change.kind === "record") return recordFields(due, words)
  if (change.kind === "reverse")
    return [{ name: "reason", label: words.reason, value: "", hint: words.reverseHelp, isRequired: true }]
  return [
    { name: "amount", label: words.amount, kind: "number", value: "", hint: words.refundHint },
    { name: "reference", label: words.reference, value: "" }
  ]
}

const Changing = ({
  change,
  invoice,
  onDone,
  onClose,
  words
}: InvoiceProps & {
  readonly change: Change
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const id = invoice.invoice_id
  // A reading meanwhile must not change what is typed.
  const [fields] = useState(() => fieldsOf(change, invoice.amount_due, words))
  const send = async (typed: Typed) => {
    const amount = valueOf(typed["amount"] ?? "")
    switch (change.kind) {
      case "record":
        await api.invoices.pay({
          id,
          amount: amount as number,
          method: (typed["method"] ?? "other") as (typeof methods)[number],
          ...typedOf(typed, "received_at"),
          ...typedOf(typed, "reference")
        })
        return words.recorded
      case "refund":
        await api.invoices.refund({
          id,
          payment_id: change.payment.payment_id,
          ...(amount === undefined ? {} : { amount }),
          ...typedOf(typed, "reference")
        })
        return words.refunded
      case "reverse":
        await api.invoices.reverse({
          id,
          payment_id: change.payment.payment_id,
          reason: typed["reason"] ?? ""
        })
        return words.reversed
    }
  }
  const title =
    change.kind === "record"
      ? words.recordPayment
      : fill(change.kind === "refund" ? words.refundTitle : words.reverseTitle, {
          amount: money(change.payment.amount, change.payment.currency)
        })
  const submit = { record: words.recordPayment, refund: words.refund, reverse: words.reverse }[change.kind]
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit}
        words={words}
        onSubmit={async (typed) => {
          toast(await send(typed))
          onDone()
          onClose()
        }}
      >
        {(failure) => <RecordFields fields={fields} failure={failure} words={words} />}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </Dialog>
  )
}

/** Pays the invoice from what its customer has paid too much elsewhere. */
const Credit = ({
  invoice,
  onDone,
  reading: { at },
  words
}: InvoiceProps & { readonly onDone: () => void }) => {
  const { amount_due, currency, customer_id, invoice_id } = invoice
  const reading = useReading(`credit ${customer_id} ${at}`, async () =>
    customer_id === null || amount_due === 0 ? undefined : api.remittances.credit({ id: customer_id })
  )
  const credit = reading.data?.balances.find((balance) => balance.currency === currency)?.amount ?? 0
  if (credit <= 0 || amount_due <= 0) return null
  const use = () =>
    attempt(async () => {
      await api.invoices.applyCredit({ id: invoice_id })
      toast(words.creditUsed)
      onDone()
    }, words)
  return (
    <button type="button" class="button small-button" onClick={() => void use()}>
      {fill(words.useCredit, { amount: money(credit, currency) })}
    </button>
  )
}

const Entry = ({
  children,
  payment,
  words
}: {
  readonly payment: BookingPayment
  readonly words: MoneyWords
  readonly children: ComponentChildren
}) => (
  <tr>
    <td data-label={words.kind}>{words[`kind_${payment.kind}`]}</td>
    <td data-label={words.received}>{momentOf(payment.received_at)}</td>
    <td data-label={words.method}>{words[payment.method]}</td>
    <td data-label={words.reference}>
      <bdi>{payment.reference}</bdi>
    </td>
    <td data-label={words.amount} class="number">
      {money(payment.amount, payment.currency)}
    </td>
    <td>{children}</td>
  </tr>
)

export const Payments = (props: InvoiceProps): JSX.Element => {
  const { invoice, reading, words } = props
  const id = invoice.invoice_id
  const payments = useReading(`payments ${id} ${reading.at}`, async () => {
    const { data } = await api.invoices.payments({ id, per_page: 100 }).page()
    return data
  })
  const [change, setChange] = useState<Change>()
  const mayEdit = mayWrite("billing")
  const isOpen = mayEdit && invoice.status !== "draft" && invoice.status !== "void"
  const record = () => setChange({ kind: "record" })
  useCommands(isOpen ? [{ key: "r", label: words.recordPayment, run: record }] : [])
  return (
    <section class="card record wide">
      <div class="record-head">
        <h2>{words.payments}</h2>
        {isOpen && (
          <div class="row">
            {mayRead("customers") && <Credit {...props} onDone={reading.reload} />}
            <button type="button" class="button small-button" onClick={record}>
              {words.recordPayment}
            </button>
          </div>
        )}
      </div>
      <Loaded reading={payments} words={words} heights={[60]}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="muted">{words.noPayments}</p>
          ) : (
            <table class="list">
              <caption class="unseen">{words.payments}</caption>
              <thead>
                <tr>
                  <th scope="col">{words.kind}</th>
                  <th scope="col">{words.received}</th>
                  <th scope="col">{words.method}</th>
                  <th scope="col">{words.reference}</th>
                  <th scope="col" class="number">
                    {words.amount}
                  </th>
                  <th scope="col">
                    <span class="unseen">{words.actions}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {entries.map((payment) => (
                  <Entry key={payment.payment_id} payment={payment} words={words}>
                    {mayEdit && (
                      <span class="row">
                        {(payment.kind === "payment" || payment.kind === "excess") && (
                          <button
                            type="button"
                            class="button small-button"
                            onClick={() => setChange({ kind: "refund", payment })}
                          >
                            {words.refund}
                          </button>
                        )}
                        {["payment", "excess", "refund", "excess_refund"].includes(payment.kind) && (
                          <button
                            type="button"
                            class="button small-button"
                            onClick={() => setChange({ kind: "reverse", payment })}
                          >
                            {words.reverse}
                          </button>
                        )}
                      </span>
                    )}
                  </Entry>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      {change !== undefined && (
        <Changing {...props} change={change} onDone={reading.reload} onClose={() => setChange(undefined)} />
      )}
    </section>
  )
}
