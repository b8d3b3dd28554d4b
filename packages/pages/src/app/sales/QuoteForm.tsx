/** A quote is built: who asks for it, and its lines, each a trip or a line of text. */
import type { Quote, VehicleClass } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Failure } from "../../api/Failure.ts"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { CustomerInput } from "../parts/CustomerInput.tsx"
import { Suggest } from "../parts/Suggest.tsx"
import { explained } from "../parts/WrongFields.tsx"
import { guard, hrefOf, navigate, query } from "../Router.ts"
import { findPlaces, type Found, foundPlace, type Place, placeOf } from "../trips/Draft.ts"
import { className, vehicleClasses } from "../trips/Fields.ts"
import {
  draftOf,
  emptyQuote,
  type Line,
  type LineTrip,
  quoteBody,
  type QuoteDraft,
  textLine,
  tripLine
} from "./Lines.ts"
import type { SalesWords } from "./words/en.ts"

type Worded = { readonly words: SalesWords }
type Failing = { readonly failure: Failure | undefined }

const Text = ({
  failure,
  field,
  hint,
  kind = "text",
  label,
  onType,
  value,
  words
}: Worded &
  Failing & {
    readonly label: string
    readonly field: string
    readonly hint?: string | undefined
    readonly kind?: "text" | "tel" | "email" | "datetime-local" | "number"
    readonly value: string
    readonly onType: (text: string) => void
  }) => (
  <Field label={label} hint={hint} error={fieldError(failure, field, words)}>
    {(control) => (
      <input
        {...({
          ...control,
          ...(kind === "number" ? { inputMode: "decimal" } : { type: kind, dir: "auto" })
        } as JSX.IntrinsicElements["input"])}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    )}
  </Field>
)

const Where = ({
  error,
  label,
  onPlace,
  place,
  words
}: Worded & {
  readonly label: string
  readonly place: Place
  readonly error: string | undefined
  readonly onPlace: (place: Place) => void
}) => (
  <Field label={label} error={error}>
    {(control) => (
      <Suggest<Found>
        control={control}
        value={place.address}
        isRequired
        find={findPlaces}
        nameOf={({ name }) => name}
        onChoose={(found) => onPlace(foundPlace(found))}
        onType={(address) => onPlace(placeOf(address))}
        words={words}
      />
    )}
  </Field>
)

const Ride = ({
  change,
  failure,
  path,
  trip,
  words
}: Worded &
  Failing & {
    readonly trip: LineTrip
    readonly path: string
    readonly change: (changes: Partial<LineTrip>) => void
  }) => (
  <>
    <Text
      label={words.pickup}
      field={`${path}.trip_date`}
      kind="datetime-local"
      value={trip.at}
      onType={(at) => change({ at })}
      failure={failure}
      words={words}
    />
    <Where
      label={words.from}
      place={trip.from}
      error={fieldError(failure, `${path}.pickup_address`, words)}
      onPlace={(from) => change({ from })}
      words={words}
    />
    <Where
      label={words.to}
      place={trip.to}
      error={fieldError(failure, `${path}.dropoff_address`, words)}
      onPlace={(to) => change({ to })}
      words={words}
    />
    <Field label={words.vehicleClass} error={fieldError(failure, `${path}.vehicle_class`, words)}>
      {(control) => (
        <select
          {...control}
          value={trip.vehicleClass}
          onChange={({ currentTarget }) => change({ vehicleClass: currentTarget.value as VehicleClass | "" })}
        >
          <option value="" />
          {vehicleClasses.map((name) => (
            <option key={name} value={name}>
              {className(name, words)}
            </option>
          ))}
        </select>
      )}
    </Field>
    <Text
      label={words.people}
      field={`${path}.participants_count`}
      kind="number"
      value={trip.people}
      onType={(people) => change({ people })}
      failure={failure}
      words={words}
    />
  </>
)

const LineFields = ({
  change,
  failure,
  index,
  line,
  onRemove,
  words
}: Worded &
  Failing & {
    readonly line: Line
    readonly index: number
    readonly change: (changes: Partial<Line>) => void
    readonly onRemove: (() => void) | undefined
  }) => {
  const { trip } = line
  const title = fill(trip === undefined ? words.textLine : words.tripLine, {
    number: format.number(index + 1)
  })
  return (
    <fieldset class="card form-grid">
      <legend>{title}</legend>
      <Text
        label={words.description}
        field={`items.${index}.description`}
        value={line.description}
        onType={(description) => change({ description })}
        failure={failure}
        words={words}
      />
      <Text
        label={words.amount}
        hint={trip === undefined ? undefined : words.amountHint}
        field={`items.${index}.amount`}
        kind="number"
        value={line.amount}
        onType={(amount) => change({ amount })}
        failure={failure}
        words={words}
      />
      {trip !== undefined && (
        <Ride
          path={`items.${index}.trip`}
          trip={trip}
          change={(changes) => change({ trip: { ...trip, ...changes } })}
          failure={failure}
          words={words}
        />
      )}
      {onRemove !== undefined && (
        <button type="button" class="button small-button line-remove" onClick={onRemove}>
          {words.remove}
          <span class="unseen"> {title}</span>
        </button>
      )}
    </fieldset>
  )
}

const Who = ({
  change,
  draft,
  failure,
  words
}: Worded &
  Failing & { readonly draft: QuoteDraft; readonly change: (changes: Partial<QuoteDraft>) => void }) => (
  <fieldset class="card form-grid">
    <legend>{words.customer}</legend>
    <Field
      label={words.name}
      hint={draft.customer === undefined ? undefined : words.knownCustomer}
      error={fieldError(failure, "customer_name", words) ?? fieldError(failure, "customer_id", words)}
    >
      {(control) => (
        <CustomerInput
          control={control}
          value={draft.name}
          isRequired
          onChoose={(customer) =>
            change({
              customer,
              name: customer.name,
              phone: customer.phone ?? "",
              email: customer.email ?? ""
            })
          }
          onType={(name) => change({ name, ...(name === "" ? { customer: undefined } : {}) })}
          words={words}
        />
      )}
    </Field>
    <Text
      label={words.phone}
      field="customer_phone"
      kind="tel"
      value={draft.phone}
      onType={(phone) => change({ phone })}
      failure={failure}
      words={words}
    />
    <Text
      label={words.email}
      field="customer_email"
      kind="email"
      value={draft.email}
      onType={(email) => change({ email })}
      failure={failure}
      words={words}
    />
    <Text
      label={words.validUntil}
      field="valid_until"
      kind="datetime-local"
      value={draft.validUntil}
      onType={(validUntil) => change({ validUntil })}
      failure={failure}
      words={words}
    />
  </fieldset>
)

/** The fields of the form, by their paths in a refusal. The passenger of a trip is the customer. */
const isShown = (field: string) =>
  /^(?:customer_(?:id|name|phone|email)|valid_until|items\.\d+\.(?:description|amount|trip\.(?:customer_(?:id|name|phone|email)|trip_date|pickup_address|dropoff_address|vehicle_class|participants_count)))$/u.test(
    field
  )

const QuoteForm = ({
  onSend,
  start,
  submit,
  title,
  words
}: Worded & {
  readonly title: string
  readonly submit: string
  readonly start: QuoteDraft
  readonly onSend: (draft: QuoteDraft, key: string) => Promise<Quote>
}) => {
  const [draft, setDraft] = useState(start)
  const isDirty = useRef(false)
  const change = (changes: Partial<QuoteDraft>) => {
    isDirty.current = true
    setDraft((before) => ({ ...before, ...changes }))
  }
  useEffect(
    // oxlint-disable-next-line no-alert -- the browser's own question cannot be missed
    () => guard(() => !isDirty.current || confirm(words.unsaved)),
    []
  )
  const asked = Number(query.value.get("customer"))
  useEffect(() => {
    if (asked > 0)
      api.customers.read({ id: asked }).then(
        (customer) =>
          change({ customer, name: customer.name, phone: customer.phone ?? "", email: customer.email ?? "" }),
        () => undefined
      )
  }, [asked])
  const add = (line: Line) => {
    change({ lines: [...draft.lines, line] })
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(".quote-lines fieldset:last-of-type input")?.focus()
    )
  }
  return (
    <Page title={title}>
      <Form
        submit={submit}
        words={words}
        onSubmit={async (_typed, key) => {
          const quote = await onSend(draft, key)
          isDirty.current = false
          navigate(`/sales/quotes/${quote.quote_id}`, { replace: true })
        }}
        explain={(failure) =>
          failure.type === "conflict" && failure.details.length === 0
            ? failure.message
            : explained(failure, isShown, words)
        }
      >
        {(failure) => (
          <>
            <Who draft={draft} change={change} failure={failure} words={words} />
            <div class="stack quote-lines">
              {draft.lines.map((line, index) => (
                <LineFields
                  key={line.key}
                  line={line}
                  index={index}
                  change={(changes) => change({ lines: draft.lines.with(index, { ...line, ...changes }) })}
                  onRemove={
                    draft.lines.length > 1
                      ? () => change({ lines: draft.lines.filter(({ key }) => key !== line.key) })
                      : undefined
                  }
                  failure={failure}
                  words={words}
                />
              ))}
            </div>
            <div class="row">
              <button type="button" class="button small-button" onClick={() => add(tripLine())}>
                {words.addTrip}
              </button>
              <button type="button" class="button small-button" onClick={() => add(textLine())}>
                {words.addText}
              </button>
            </div>
          </>
        )}
      </Form>
    </Page>
  )
}

export const NewQuote = ({ words }: Worded): JSX.Element => (
  <QuoteForm
    title={words.newQuote}
    submit={words.create}
    start={emptyQuote()}
    onSend={async (draft, key) => {
      const quote = await api.quotes.create(quoteBody(draft), { idempotencyKey: key })
      toast(fill(words.created, { name: quote.reference }))
      return quote
    }}
    words={words}
  />
)

export const EditQuote = ({ id, words }: Worded & { readonly id: number }): JSX.Element => {
  const reading = useReading(`quote ${id} to edit`, () => api.quotes.read({ id }))
  return (
    <Loaded reading={reading} words={words}>
      {(quote) => (
        <>
          <QuoteForm
            title={`${words.edit}: ${quote.reference}`}
            submit={words.save}
            start={draftOf(quote)}
            onSend={async (draft) => {
              const after = await api.quotes.update({ id, ...quoteBody(draft) }, { ifMatch: quote })
              toast(words.saved)
              return after
            }}
            words={words}
          />
          <a class="button" href={hrefOf(`/sales/quotes/${id}`)}>
            {words.cancel}
          </a>
        </>
      )}
    </Loaded>
  )
}
