/** A new invoice: from the trips that a customer took in a month, or with lines of one's own. */
import type { Customer, MonthlyInvoice } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { Failure } from "../../api/Failure.ts"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form, type Typed } from "../../components/Form.tsx"
import { Notice } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { dateOf, daysAfter } from "../Formats.ts"
import { Page } from "../parts/Page.tsx"
import { type RecordField, RecordFields } from "../parts/Record.tsx"
import { CustomerInput } from "../parts/CustomerInput.tsx"
import { guard, hrefOf, navigate, query, setQuery } from "../Router.ts"
import { emptyLine, itemsOf, type Line, LineFields, valueOf } from "./Lines.tsx"
import { customerOf, nameOf } from "./Status.tsx"
import type { MoneyWords } from "./words/en.ts"

type Worded = { readonly words: MoneyWords }

/** The month before the present one: `2026-11`. */
export const lastMonth = (): string => daysAfter(`${dateOf(Date.now()).slice(0, 7)}-01`, -1).slice(0, 7)

export const groupField = (words: MoneyWords): RecordField => ({
  name: "group_by",
  label: words.groupBy,
  value: "",
  isRequired: true,
  options: [
    ["", words.notGrouped],
    ...(["cost_center", "po_number"] as const).map((name) => [name, words[name]] as const)
  ]
})

/** The typed texts that are not empty, with the tax as a number. */
export const givenOf = (typed: Typed): Readonly<Record<string, string | number | undefined>> =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, text]) =>
      text.trim() === "" ? [] : [[name, name === "tax_rate" ? valueOf(text) : text.trim()]]
    )
  )

/** The trips of a month are those of a customer. */
const noCustomer = () =>
  new Failure(422, "invalid_request", "", [{ field: "customer_id", issue: "required" }])

/** Why a month has no invoice: its trips, each with the reason. */
const explain = (failure: Failure, words: MoneyWords) => {
  if (failure.type !== "conflict") return undefined
  const trips = failure.details as unknown as MonthlyInvoice["left_out"]
  return (
    <>
      {failure.message}
      <LeftOut trips={trips.filter(({ reason }) => reason in words)} words={words} />
    </>
  )
}

/** Which trips an invoice of a month lacks, and why. */
export const LeftOut = ({
  trips,
  words
}: Worded & { readonly trips: MonthlyInvoice["left_out"] }): JSX.Element => (
  <ul class="plain-list">
    {trips.map(({ reason, trip_id }) => (
      <li key={trip_id}>
        <a href={hrefOf(`/trips/${trip_id}`)}>
          {words.trip} {trip_id}
        </a>
        : {words[reason]}
      </li>
    ))}
  </ul>
)

const Made = ({ invoice, words }: Worded & { readonly invoice: MonthlyInvoice }) => {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  return (
    <section class="card record">
      <Notice tone="good" role="status">
        {fill(words.created, { name: nameOf(invoice, words) })}
      </Notice>
      <h2>{words.leftOut}</h2>
      <LeftOut trips={invoice.left_out} words={words} />
      <div>
        <a class="button primary" ref={link} href={hrefOf(`/money/${invoice.invoice_id}`)}>
          {words.openInvoice}
        </a>
      </div>
    </section>
  )
}

const WhoField = ({
  customer,
  failure,
  onChoose,
  words
}: Worded & {
  readonly customer: Customer | undefined
  readonly onChoose: (customer: Customer | undefined) => void
  readonly failure: Failure | undefined
}) => {
  const [text, setText] = useState("")
  useEffect(() => {
    if (customer !== undefined) setText(customer.name)
  }, [customer])
  return (
    <Field
      label={words.customer}
      error={fieldError(failure, "customer_id", words) ?? fieldError(failure, "id", words)}
    >
      {(control) => (
        <CustomerInput
          control={control}
          value={text}
          isRequired
          onChoose={onChoose}
          onType={(typed) => {
            setText(typed)
            if (customer !== undefined) onChoose(undefined)
          }}
          words={words}
        />
      )}
    </Field>
  )
}

export const NewInvoice = ({ words }: Worded): JSX.Element => {
  const [customer, setCustomer] = useState<Customer>()
  const [lines, setLines] = useState<ReadonlyArray<Line>>([emptyLine])
  const [made, setMade] = useState<MonthlyInvoice>()
  const isDirty = useRef(false)
  const asked = query.value.get("customer")
  const isByMonth = query.value.get("of") !== "lines"
  useEffect(() => {
    if (asked !== null) customerOf(Number(asked)).then(setCustomer, () => undefined)
  }, [asked])
  // oxlint-disable-next-line no-alert -- the browser's own question cannot be missed
  useEffect(() => guard(() => !isDirty.current || confirm(words.unsaved)), [])
  const done = (name: string, id: number) => {
    isDirty.current = false
    toast(fill(words.created, { name }))
    navigate(`/money/${id}`, { replace: true })
  }
  const ofMonth = async (typed: Typed) => {
    const { month = "", ...given } = givenOf(typed)
    if (customer === undefined) throw noCustomer()
    const invoice = await api.tripBilling.month({
      id: customer.customer_id,
      month: String(month),
      ...(given as Readonly<Record<string, never>>)
    })
    if (invoice.left_out.length === 0) return done(nameOf(invoice, words), invoice.invoice_id)
    isDirty.current = false
    setMade(invoice)
  }
  const ofLines = async (typed: Typed) => {
    const { draft, ...given } = givenOf(typed)
    const invoice = await api.invoices.create({
      ...(given as Readonly<Record<string, never>>),
      customer_id: customer?.customer_id ?? null,
      draft: draft !== undefined,
      items: itemsOf(lines)
    })
    done(nameOf(invoice, words), invoice.invoice_id)
  }
  const common: ReadonlyArray<RecordField> = [
    { name: "due_date", label: words.due, kind: "date", value: "" },
    { name: "buyer_reference", label: words.buyerReference, value: "" },
    { name: "notes", label: words.notes, kind: "area", value: "" }
  ]
  const fields: ReadonlyArray<RecordField> = isByMonth
    ? [groupField(words), { name: "tax_rate", label: words.taxRate, kind: "number", value: "" }, ...common]
    : common
  if (made !== undefined)
    return (
      <Page title={words.newInvoice}>
        <Made invoice={made} words={words} />
      </Page>
    )
  return (
    <Page title={words.newInvoice}>
      <div class="row" role="group" aria-label={words.newInvoice}>
        {([undefined, "lines"] as const).map((of) => (
          <button
            key={of}
            type="button"
            class="button small-button"
            aria-pressed={isByMonth === (of === undefined)}
            onClick={() => setQuery({ of })}
          >
            {of === undefined ? words.fromTrips : words.ownLines}
          </button>
        ))}
      </div>
      <section
        class="card record"
        onInput={() => {
          isDirty.current = true
        }}
      >
        <Form
          submit={words.makeInvoice}
          words={words}
          explain={(failure) => explain(failure, words)}
          onSubmit={isByMonth ? ofMonth : ofLines}
        >
          {(failure) => (
            <>
              <div class="form-grid">
                <WhoField customer={customer} onChoose={setCustomer} failure={failure} words={words} />
                {isByMonth && (
                  <Field label={words.month} error={fieldError(failure, "month", words)}>
                    {(control) => (
                      <input {...control} name="month" type="month" required defaultValue={lastMonth()} />
                    )}
                  </Field>
                )}
              </div>
              {!isByMonth && <LineFields lines={lines} onChange={setLines} failure={failure} words={words} />}
              <RecordFields key={String(isByMonth)} fields={fields} failure={failure} words={words} />
              {!isByMonth && (
                <label class="check-line">
                  <input type="checkbox" name="draft" />
                  {words.asDraft}
                </label>
              )}
            </>
          )}
        </Form>
      </section>
    </Page>
  )
}
