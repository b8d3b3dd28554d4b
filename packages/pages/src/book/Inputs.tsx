/** The fields of the form, with what the server found wrong with them. */
import type { InputHTMLAttributes, JSX } from "preact"
import { Field, fieldError } from "../components/Field.tsx"
import { codeOf, type Draft } from "./Draft.ts"
import { PlaceInput } from "./PlaceInput.tsx"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

/** The fields of the API that a field of the form fills. */
const fieldsOf = {
  hours: ["duration_minutes"],
  pickup: ["pickup_address"],
  pickup_area: ["pickup_postal_code", "pickup_airport", "pickup_lat", "pickup_lng"],
  dropoff: ["dropoff_address"],
  dropoff_area: ["dropoff_postal_code", "dropoff_airport", "dropoff_lat", "dropoff_lng"],
  date: ["trip_date", "starts_at"],
  time: [],
  back_date: ["back_date"],
  back_time: ["back_time"],
  passengers: ["participants_count"],
  luggage: ["luggage_count"],
  infant: [],
  child: [],
  booster: [],
  flight: ["flight_number"],
  name: ["customer_name"],
  email: ["customer_email"],
  phone: ["customer_phone"],
  sign: ["pickup_sign"],
  notes: ["notes"]
} as const satisfies Partial<Record<keyof Draft, ReadonlyArray<string>>>

/** A field of the form that is typed. */
export type TypedField = keyof typeof fieldsOf

/** What the server found wrong with a field, in words. */
export const errorOf = (name: TypedField, words: BookWords) => {
  const failures = [state.refusal.value, state.priceRefusal.value]
  const fields: ReadonlyArray<string> = fieldsOf[name]
  for (const failure of failures)
    for (const field of fields) {
      const error = fieldError(failure, field, words)
      const issue = failure?.details.find((wrong) => wrong.field === field)?.issue
      if (issue === "too_early") return words.backTooEarly
      if (issue === "out_of_range" && (name === "date" || name === "back_date")) return words.closedThen
      if (error !== undefined) return error
    }
  return undefined
}

/** What a field of the form has. */
export interface InputProps {
  readonly name: TypedField
  readonly label: string
  readonly hint?: string
  readonly words: BookWords
}

/** A field with one line. `input` has the attributes of its kind. */
export const Input = ({
  hint,
  input = {},
  label,
  name,
  words
}: InputProps & { readonly input?: InputHTMLAttributes }): JSX.Element => (
  <Field label={label} hint={hint} error={errorOf(name, words)}>
    {(control) => (
      <input
        {...input}
        {...control}
        value={state.draft.value[name]}
        onInput={({ currentTarget }) => state.change({ [name]: currentTarget.value })}
      />
    )}
  </Field>
)

/** The field of a place: its address, or the area that decides its price. */
export const Place = ({
  input,
  label,
  name,
  side,
  words,
  ...hints
}: InputProps & {
  readonly input: InputHTMLAttributes
  readonly side: "pickup" | "dropoff"
}): JSX.Element => (
  <Field label={label} {...hints} error={errorOf(name, words)}>
    {(control) => (
      <PlaceInput
        input={input}
        control={control}
        value={state.draft.value[name]}
        words={words}
        // A typed area is a code itself; a typed address has none.
        onType={(text) => state.change({ [name]: text, [`${side}_code`]: name === side ? "" : text })}
        onChoose={(place) => state.change({ [name]: place.name, [`${side}_code`]: codeOf(place) })}
      />
    )}
  </Field>
)

/** A number of persons or things. */
export const CountInput = ({ min, ...props }: InputProps & { readonly min: number }): JSX.Element => (
  <Input {...props} input={{ type: "number", inputMode: "numeric", min, max: 1000, step: 1 }} />
)

/** One of several choices, each with a line below it. */
export const Choice = ({
  children,
  isChosen,
  isDisabled = false,
  name,
  onChoose,
  value
}: {
  readonly children: JSX.Element | ReadonlyArray<JSX.Element | false>
  readonly isChosen: boolean
  readonly isDisabled?: boolean
  readonly name: string
  readonly value: string
  readonly onChoose: () => void
}): JSX.Element => (
  <label class={isDisabled ? "choice muted" : "choice"}>
    <input
      type="radio"
      name={name}
      value={value}
      checked={isChosen}
      disabled={isDisabled}
      onChange={onChoose}
    />
    {children}
  </label>
)
