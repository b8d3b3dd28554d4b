/** A trial estimate: a ride, and its fare in each class, line by line. */
import type { FareEstimate, Tariff } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { api } from "../Api.ts"
import { money } from "../Formats.ts"
import { changesOf, type RecordField, RecordFields } from "../parts/Record.tsx"
import { Suggest } from "../parts/Suggest.tsx"
import { explained } from "../parts/WrongFields.tsx"
import { emptyDraft, end, findPlaces, type Found, foundPlace, placeOf } from "../trips/Draft.ts"
import { FareLines } from "../trips/Fare.tsx"
import { className, tripTypes, typeName } from "../trips/Fields.ts"
import type { TariffsWords } from "./words/en.ts"

const Result = ({ estimate, words }: { readonly estimate: FareEstimate; readonly words: TariffsWords }) => (
  <div class="stack" aria-live="polite">
    {estimate.fares.map((fare) => (
      <section key={fare.vehicle_class}>
        <h3>
          {className(fare.vehicle_class, words)}: {money(fare.total_amount, estimate.currency)}
        </h3>
        <FareLines fare={fare} currency={estimate.currency} words={words} />
      </section>
    ))}
    {estimate.unavailable.map(({ reason, vehicle_class }) => (
      <p key={vehicle_class} class="muted">
        {className(vehicle_class, words)}: {words[`no_${reason}`]}
      </p>
    ))}
  </div>
)

/** The zones of the tariff whose place is known, and other places as the booking page finds them. */
const placesIn =
  ({ zones }: Tariff) =>
  async (text: string): Promise<ReadonlyArray<Found>> => {
    const own = zones
      .filter(
        ({ airport, lat, name }) =>
          (airport !== null || lat !== null) && text !== "" && name.toLowerCase().includes(text.toLowerCase())
      )
      .map(({ airport, lat, lng, name }) => ({ airport, is_zone: true, lat, lng, name, postal_code: null }))
    const others = await findPlaces(text).catch(() => [])
    return [...own, ...others.filter(({ name }) => own.every((zone) => zone.name !== name))]
  }

export const Trial = ({
  tariff,
  words
}: {
  readonly tariff: Tariff
  readonly words: TariffsWords
}): JSX.Element => {
  const [places, setPlaces] = useState({ pickup: placeOf(""), dropoff: placeOf("") })
  const [at] = useState(() => emptyDraft().at)
  const [estimate, setEstimate] = useState<FareEstimate>()
  const number = (name: string, label: string): RecordField => ({ name, label, kind: "number", value: "" })
  const fields: ReadonlyArray<RecordField> = [
    { name: "trip_date", label: words.pickupTime, kind: "datetime-local", value: at, isRequired: true },
    {
      name: "trip_type",
      label: words.tripType,
      value: "",
      options: tripTypes.map((type) => [type, typeName(type, words)] as const)
    },
    number("distance_m", words.meters),
    number("duration_minutes", words.minutes),
    number("participants_count", words.step_passengers),
    number("luggage_count", words.step_luggage),
    number("waiting_minutes", words.step_waiting),
    { name: "meet_and_greet", label: words.step_meet_and_greet, kind: "flag", value: "" }
  ]
  const isShown = (field: string) =>
    fields.some(({ name }) => name === field) || /^(?:pickup|dropoff)_/u.test(field)
  return (
    <section class="card record">
      <h2>{words.trial}</h2>
      <Form
        submit={words.estimate}
        words={words}
        onSubmit={async (typed) => {
          const blank = fields.map((field) => ({ ...field, value: "" }))
          setEstimate(undefined)
          setEstimate(
            await api.fares.estimate({
              tariff_id: tariff.tariff_id,
              ...changesOf(blank, typed),
              ...end("pickup", places.pickup),
              ...end("dropoff", places.dropoff)
            } as never)
          )
        }}
        explain={(failure) =>
          failure.isPassing ? undefined : (explained(failure, isShown, words) ?? failure.message)
        }
      >
        {(failure) => (
          <>
            {(["pickup", "dropoff"] as const).map((name) => {
              const wrong = failure?.details.find(({ field }) => field?.startsWith(`${name}_`))
              return (
                <Field
                  key={name}
                  label={name === "pickup" ? words.from : words.to}
                  hint={words.placeHint}
                  error={wrong && fieldError(failure, wrong.field, words)}
                >
                  {(control) => (
                    <Suggest<Found>
                      control={control}
                      value={places[name].address}
                      find={placesIn(tariff)}
                      nameOf={(found) => found.name}
                      onChoose={(found) => setPlaces((before) => ({ ...before, [name]: foundPlace(found) }))}
                      onType={(text) =>
                        setPlaces((before) => ({
                          ...before,
                          // A postal code is a place too.
                          [name]: {
                            ...placeOf(text),
                            postal_code: /^\d{3,6}$/u.test(text.trim()) ? text.trim() : null
                          }
                        }))
                      }
                      words={words}
                    />
                  )}
                </Field>
              )
            })}
            <RecordFields fields={fields} failure={failure} words={words} />
          </>
        )}
      </Form>
      {estimate !== undefined && <Result estimate={estimate} words={words} />}
    </section>
  )
}
