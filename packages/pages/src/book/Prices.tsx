/** The classes of cars with their prices, or why a class has none. */
import type { JSX } from "preact"
import { failureText } from "../components/Failed.tsx"
import { Notice } from "../components/Notice.tsx"
import { fill, ownZone } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import { Choice } from "./Inputs.tsx"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

const refused: Readonly<Record<string, "tooLate" | "tooManyPassengers" | "tooMuchLuggage">> = {
  too_late: "tooLate",
  too_many_passengers: "tooManyPassengers",
  too_much_luggage: "tooMuchLuggage"
}

/** What is known of the prices at the moment. */
const statusOf = (words: BookWords) => {
  const found = state.estimate.value
  if (state.isPricing.value) return words.pricing
  if (state.priceRefusal.value !== undefined) return ""
  if (found === undefined) return words.enterRide
  const [until] = found.fares.flatMap(({ parts }) => parts.map((part) => part.price_valid_until)).sort()
  return until === undefined ? words.noPrice : fill(words.priceUntil, { time: format.time(until, ownZone()) })
}

export const Prices = ({ words }: { readonly words: BookWords }): JSX.Element | null => {
  const found = state.estimate.value
  const failed = state.priceRefusal.value
  const chosen = state.fare.value?.vehicle_class ?? state.draft.value.vehicle_class
  const choose = (vehicle_class: string) => () => state.change({ vehicle_class })
  // The fields say what is wrong with them.
  if (failed !== undefined && failed.details.length > 0) return null
  return (
    <fieldset class="card" aria-busy={state.isPricing.value}>
      <legend class="unseen">{words.car}</legend>
      <h2 aria-hidden="true">{words.car}</h2>
      <p class="small muted" role="status">
        {statusOf(words)}
      </p>
      {failed !== undefined && (
        <Notice tone="bad" role="alert">
          {failureText(failed, words)}
        </Notice>
      )}
      {found?.fares.map(({ parts, total_amount, vehicle_class }) => (
        <Choice
          key={vehicle_class}
          name="vehicle_class"
          value={vehicle_class}
          isChosen={chosen === vehicle_class}
          onChoose={choose(vehicle_class)}
        >
          <span>
            <span>{words.classes[vehicle_class]}</span>
            {parts.length > 1 && (
              <span class="small muted">
                {words.bothWays}{" "}
                {parts.map((part) => format.money(part.total_amount, found.currency)).join(" + ")}
              </span>
            )}
          </span>
          <strong>{format.money(total_amount, found.currency)}</strong>
        </Choice>
      ))}
      {found?.unavailable.map(({ reason, vehicle_class }) => (
        <Choice
          key={vehicle_class}
          name="vehicle_class"
          value={vehicle_class}
          isChosen={chosen === vehicle_class}
          isDisabled={refused[reason] !== undefined}
          onChoose={choose(vehicle_class)}
        >
          <span>{words.classes[vehicle_class]}</span>
          <span>{words[refused[reason] ?? "onRequest"]}</span>
        </Choice>
      ))}
    </fieldset>
  )
}
