/** A new trip, by keyboard: the customer by a few letters, earlier addresses, a way back, stops, and the price as it is typed. */
import type {
  Customer,
  FareEstimate,
  Trip,
  TripTemplate,
  TripTemplatesBookInput,
  VehicleClass
} from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { type Failure, failureOf } from "../../api/Failure.ts"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { Notice } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { money } from "../Formats.ts"
import { Page } from "../parts/Page.tsx"
import { CustomerInput } from "../parts/CustomerInput.tsx"
import { Suggest } from "../parts/Suggest.tsx"
import { emptied, TemplateChoice } from "../parts/TemplateChoice.tsx"
import { guard, navigate, query } from "../Router.ts"
import {
  bodyOf,
  type Draft,
  draftOfTemplate,
  earlierPlaces,
  emptyDraft,
  fareOf,
  findPlaces,
  foundPlace,
  type Place,
  placeOf,
  pricedOf,
  typedEmptied
} from "./Draft.ts"
import { FareLines } from "./Fare.tsx"
import { className, vehicleClasses } from "./Fields.ts"
import type { TripsWords } from "./words/en.ts"

type Worded = { readonly words: TripsWords }
type Known = { readonly current: Promise<ReadonlyArray<Place>> }
type Change = (changes: Partial<Draft>) => void

interface Parts extends Worded {
  readonly draft: Draft
  readonly change: Change
  readonly failure: Failure | undefined
}

/** How long typing may pause before the price is asked for, in milliseconds. */
const pause = 300

const Text = ({
  failure,
  field,
  kind = "text",
  label,
  onType,
  value,
  words
}: Worded & {
  readonly label: string
  readonly field: string
  readonly kind?: "text" | "tel" | "email" | "datetime-local" | "number"
  readonly value: string
  readonly onType: (text: string) => void
  readonly failure: Failure | undefined
}) => (
  <Field label={label} error={fieldError(failure, field, words)}>
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

const Who = ({ change, draft, failure, words }: Parts) => {
  const choose = (customer: Customer) =>
    change({
      customer,
      name: customer.name,
      phone: customer.phone ?? "",
      email: customer.email ?? ""
    })
  return (
    <fieldset class="card form-grid">
      <legend>{words.passenger}</legend>
      <Field
        label={words.name}
        hint={draft.customer === undefined ? undefined : words.knownCustomer}
        error={fieldError(failure, "customer_name", words)}
      >
        {(control) => (
          <CustomerInput
            control={control}
            value={draft.name}
            isRequired
            onChoose={choose}
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
    </fieldset>
  )
}

const Where = ({
  earlier,
  error,
  known,
  label,
  onPlace,
  place,
  words
}: Worded & {
  readonly label: string
  readonly place: Place
  /** The customer's earlier addresses, and their reading: letters may be typed before it has ended. */
  readonly earlier: ReadonlyArray<Place>
  readonly known: Known
  readonly error: string | undefined
  readonly onPlace: (place: Place) => void
}) => (
  <div class="stack">
    <Field label={label} error={error}>
      {(control) => (
        <Suggest
          control={control}
          value={place.address}
          isRequired
          find={async (text) => [
            ...(await known.current).filter(({ address }) =>
              address.toLowerCase().includes(text.toLowerCase())
            ),
            ...(await findPlaces(text).catch(() => [])).map(foundPlace)
          ]}
          nameOf={({ address }) => address}
          onChoose={onPlace}
          onType={(address) => onPlace(placeOf(address))}
          words={words}
        />
      )}
    </Field>
    {place.address === "" && earlier.length > 0 && (
      <div class="earlier" role="group" aria-label={fill(words.earlierFor, { field: label })}>
        {earlier.slice(0, 4).map((known) => (
          <button
            key={known.address}
            type="button"
            class="button small-button"
            onClick={() => onPlace(known)}
          >
            <bdi>{known.address}</bdi>
          </button>
        ))}
      </div>
    )}
  </div>
)

const Ride = ({
  change,
  draft,
  earlier,
  failure,
  known,
  words
}: Parts & { readonly earlier: ReadonlyArray<Place>; readonly known: Known }) => (
  <fieldset class="card stack">
    <legend>{words.ride}</legend>
    <div class="form-grid">
      <Text
        label={words.pickup}
        field="trip_date"
        kind="datetime-local"
        value={draft.at}
        onType={(at) => change({ at })}
        failure={failure}
        words={words}
      />
      <Text
        label={words.flight}
        field="flight_number"
        value={draft.flight}
        onType={(flight) => change({ flight })}
        failure={failure}
        words={words}
      />
    </div>
    <Where
      label={words.from}
      place={draft.from}
      earlier={earlier}
      known={known}
      error={fieldError(failure, "pickup_address", words)}
      onPlace={(from) => change({ from })}
      words={words}
    />
    {draft.stops.map((stop, index) => (
      <Where
        key={index}
        label={fill(words.stop, { number: format.number(index + 1) })}
        place={stop}
        earlier={earlier}
        known={known}
        error={fieldError(failure, `stops.${index}.address`, words)}
        onPlace={(place) => change({ stops: draft.stops.with(index, place) })}
        words={words}
      />
    ))}
    <Where
      label={words.to}
      place={draft.to}
      earlier={earlier}
      known={known}
      error={fieldError(failure, "dropoff_address", words)}
      onPlace={(to) => change({ to })}
      words={words}
    />
    <div class="row">
      <button
        type="button"
        class="button small-button"
        onClick={() => change({ stops: [...draft.stops, placeOf("")] })}
      >
        {words.addStop}
      </button>
      {draft.stops.length > 0 && (
        <button
          type="button"
          class="button small-button"
          onClick={() => change({ stops: draft.stops.slice(0, -1) })}
        >
          {words.removeStop}
        </button>
      )}
      <label class="check-line">
        <input
          type="checkbox"
          checked={draft.hasReturn}
          onChange={({ currentTarget }) => change({ hasReturn: currentTarget.checked })}
        />
        {words.withReturn}
      </label>
    </div>
    {draft.hasReturn && (
      <Text
        label={words.returnAt}
        field="return_at"
        kind="datetime-local"
        value={draft.returnAt}
        onType={(returnAt) => change({ returnAt })}
        failure={failure}
        words={words}
      />
    )}
  </fieldset>
)

const Details = ({ change, draft, failure, words }: Parts) => (
  <fieldset class="card form-grid">
    <legend>{words.details}</legend>
    <Field label={words.vehicleClass} error={fieldError(failure, "vehicle_class", words)}>
      {(control) => (
        <select
          {...control}
          value={draft.vehicleClass}
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
      field="participants_count"
      kind="number"
      value={draft.people}
      onType={(people) => change({ people })}
      failure={failure}
      words={words}
    />
    <Text
      label={words.price}
      field="total_amount"
      kind="number"
      value={draft.price}
      onType={(price) => change({ price })}
      failure={failure}
      words={words}
    />
    <Field label={words.notesForDriver} error={fieldError(failure, "notes", words)}>
      {(control) => (
        <textarea
          {...control}
          dir="auto"
          value={draft.notes}
          onInput={({ currentTarget }) => change({ notes: currentTarget.value })}
        />
      )}
    </Field>
  </fieldset>
)

/** The price by the tariff while the trip is typed. */
const usePrice = (draft: Draft) => {
  const [estimate, setEstimate] = useState<FareEstimate>()
  const input = pricedOf(draft)
  const key = JSON.stringify(input)
  useEffect(() => {
    if (input === undefined) return setEstimate(undefined)
    let isPresent = true
    const timer = setTimeout(() => {
      api.fares.estimate(input).then(
        (found) => isPresent && setEstimate(found),
        () => isPresent && setEstimate(undefined)
      )
    }, pause)
    return () => {
      isPresent = false
      clearTimeout(timer)
    }
  }, [key])
  return estimate
}

const Price = ({
  draft,
  estimate,
  words
}: Worded & { readonly draft: Draft; readonly estimate: FareEstimate | undefined }) => {
  const fare = estimate && fareOf(estimate, draft.vehicleClass)
  return (
    <section class="card price-now" aria-live="polite">
      <h2>{words.price}</h2>
      {estimate === undefined || fare === undefined ? (
        <p class="muted">{words.noPriceYet}</p>
      ) : (
        <>
          <p>
            {draft.vehicleClass === ""
              ? fill(words.fromPrice, { class: className(fare.vehicle_class, words) })
              : ""}{" "}
            <strong>{money(fare.total_amount, estimate.currency)}</strong>
          </p>
          <FareLines fare={fare} currency={estimate.currency} words={words} />
        </>
      )}
    </section>
  )
}

export const NewTrip = ({ words }: Worded): JSX.Element => {
  const [draft, setDraft] = useState(emptyDraft)
  const [earlier, setEarlier] = useState<ReadonlyArray<Place>>([])
  const [question, setQuestion] = useState<string>()
  const [template, setTemplate] = useState<TripTemplate>()
  const isDirty = useRef(false)
  const estimate = usePrice(draft)
  const change: Change = (changes) => {
    isDirty.current = true
    setDraft((before) => ({ ...before, ...changes }))
  }
  useEffect(
    // oxlint-disable-next-line no-alert -- the browser's own question cannot be missed
    () => guard(() => !isDirty.current || confirm(words.unsaved)),
    []
  )
  const customerId = draft.customer?.customer_id
  const known = useRef<Promise<ReadonlyArray<Place>>>(Promise.resolve([]))
  useEffect(() => {
    known.current =
      customerId === undefined
        ? Promise.resolve([])
        : api.customers
            .trips({ id: customerId, per_page: 10 })
            .page()
            .then(
              ({ data }) => earlierPlaces(data),
              () => []
            )
    void known.current.then(setEarlier)
  }, [customerId])
  const asked = Number(query.value.get("customer"))
  useEffect(() => {
    if (asked > 0)
      api.customers.read({ id: asked }).then(
        (customer) =>
          change({ customer, name: customer.name, phone: customer.phone ?? "", email: customer.email ?? "" }),
        () => undefined
      )
  }, [asked])

  const choose = (chosen: TripTemplate | undefined) => {
    setTemplate(chosen)
    const from = chosen === undefined ? emptyDraft() : draftOfTemplate(chosen)
    change({ ...from, at: draft.at, returnAt: draft.returnAt, hasReturn: draft.hasReturn })
    const known = chosen?.trip["customer_id"]
    if (typeof known === "number")
      api.customers.read({ id: known }).then(
        (customer) =>
          change({
            customer,
            name: from.name || customer.name,
            phone: from.phone || (customer.phone ?? ""),
            email: from.email || (customer.email ?? "")
          }),
        () => undefined
      )
  }

  const book = async (key: string) => {
    const fare = estimate && draft.price === "" ? fareOf(estimate, draft.vehicleClass) : undefined
    const force = question === undefined ? {} : { force: true }
    const create = (isReturn: boolean, more: object) => {
      const body = { ...bodyOf(draft, isReturn), ...force, ...more }
      const once = { idempotencyKey: [key, ...(isReturn ? ["return"] : []), ...Object.keys(force)].join("-") }
      return template === undefined
        ? api.trips.create(body, once)
        : api.tripTemplates.book(
            {
              ...({ ...typedEmptied(emptied(template, body)), ...body } as TripTemplatesBookInput),
              id: template.template_id
            },
            once
          )
    }
    try {
      const there = await create(false, {})
      const trips: Array<Trip> = [there]
      if (draft.hasReturn) trips.push(await create(true, { linked_trip_id: there.trip_id, leg: "return" }))
      // A price that nobody typed is that of the tariff.
      if (fare !== undefined && draft.vehicleClass !== "")
        for (const { trip_id } of trips) await api.fares.priceTrip({ id: trip_id }).catch(() => undefined)
      isDirty.current = false
      toast(fill(words.created, { name: trips.map(({ reference }) => reference).join(", ") }))
      navigate(`/trips/${there.trip_id}`, { replace: true })
    } catch (error) {
      const failure = failureOf(error)
      if (failure.type === "confirmation_required") setQuestion(failure.message)
      throw failure
    }
  }
  return (
    <Page title={words.newTrip}>
      <div class="new-trip">
        <Form
          submit={question === undefined ? words.book : words.bookAnyway}
          words={words}
          onSubmit={(_typed, key) => book(key)}
          explain={({ message, type }) => (type === "confirmation_required" ? message : undefined)}
        >
          {(failure) => {
            const parts = { change, draft, failure, words }
            return (
              <>
                <TemplateChoice
                  label={words.fromTemplate}
                  none={words.withoutTemplate}
                  chosen={template?.template_id ?? (Number(query.value.get("template")) || undefined)}
                  onChoose={choose}
                />
                <Who {...parts} />
                <Ride {...parts} earlier={earlier} known={known} />
                <Details {...parts} />
                {draft.customer === undefined && draft.name.length > 2 && (
                  <Notice>{words.newPassenger}</Notice>
                )}
              </>
            )
          }}
        </Form>
        <Price draft={draft} estimate={estimate} words={words} />
      </div>
    </Page>
  )
}
