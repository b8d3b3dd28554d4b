/** The departures of a tour to choose from, with the places that are left. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { get } from "../api/Api.ts"
import type { Failure } from "../api/Failure.ts"
import { Failed } from "../components/Failed.tsx"
import { Field } from "../components/Field.tsx"
import { Time } from "../components/Time.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import type { Business, Departure, Product } from "./Business.ts"
import { startOf } from "./Draft.ts"
import { Choice, errorOf } from "./Inputs.tsx"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

/** How many departures are shown at first, and how many more at a time. */
const step = 8

/** How many days are asked for at once. */
const days = 31

const dayText = (millis: number) => new Date(millis).toISOString().slice(0, 10)

/** The day of now on the clock of a zone. */
const today = (timeZone: string) => new Date().toLocaleDateString("sv", { timeZone })

const departuresFrom = async (product: Product, from: string) => {
  const to = dayText(Date.parse(from) + (days - 1) * 86_400_000)
  return get<ReadonlyArray<Departure>>(
    `${state.path}/products/${product.product_id}/departures?date_from=${from}&date_to=${to}`
  )
}

/** The start of a departure as the form has it. */
const startsAt = ({ starts_local }: Departure) => starts_local.slice(0, 16).replace(" ", "T")

const choose = (departure: Departure) => {
  const [date = "", time = ""] = startsAt(departure).split("T")
  state.change({ date, time })
}

export const Departures = ({
  business,
  product,
  words
}: {
  readonly business: Business
  readonly product: Product
  readonly words: BookWords
}): JSX.Element => {
  const [from, setFrom] = useState(() => today(business.timezone))
  const [shown, setShown] = useState(step)
  const [found, setFound] = useState<ReadonlyArray<Departure>>()
  const [failure, setFailure] = useState<Failure>()
  const [round, setRound] = useState(0)
  // The business is read again after a refusal: then fewer places may be left.
  useEffect(() => {
    let isGone = false
    setFailure(undefined)
    const known =
      <A,>(set: (value: A) => void) =>
      (value: A) =>
        isGone || set(value)
    departuresFrom(product, from).then(
      known(setFound),
      known((error: unknown) => setFailure(state.failureOf(error)))
    )
    return () => {
      isGone = true
    }
  }, [business, from, product.product_id, round])
  const start = startOf(state.draft.value)
  const error = errorOf("date", words)
  return (
    <>
      <Field label={words.departuresFrom}>
        {(control) => (
          <input
            {...control}
            type="date"
            min={today(business.timezone)}
            value={from}
            onChange={({ currentTarget }) => {
              // A repeated day asks for nothing, so the departures must stay.
              if (currentTarget.value === "" || currentTarget.value === from) return
              setFound(undefined)
              setShown(step)
              setFrom(currentTarget.value)
            }}
          />
        )}
      </Field>
      {failure !== undefined && (
        <Failed failure={failure} words={words} gone={words.goneHelp} retry={() => setRound(round + 1)} />
      )}
      <fieldset class="stack" aria-busy={found === undefined && failure === undefined}>
        <legend class="unseen">{words.departure}</legend>
        {error !== undefined && (
          <p class="wrong small" role="alert">
            {error}
          </p>
        )}
        {found?.length === 0 && <p role="status">{words.noDepartures}</p>}
        {found?.slice(0, shown).map((departure) => (
          <Choice
            key={departure.starts_at}
            name="departure"
            value={departure.starts_at}
            isChosen={startsAt(departure) === start}
            isDisabled={departure.places_left === 0}
            onChoose={() => choose(departure)}
          >
            <span>
              <Time at={departure.starts_at} zone={business.timezone} words={words} />
            </span>
            <span>
              {departure.places_left === 0
                ? words.full
                : fill(words.placesLeft, { count: format.number(departure.places_left) })}
            </span>
          </Choice>
        ))}
      </fieldset>
      {found !== undefined && found.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + step)}>
          {words.moreDepartures}
        </button>
      )}
    </>
  )
}
