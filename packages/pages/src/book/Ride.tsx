/** The fields of a ride, and when it may start. */
import type { JSX } from "preact"
import { later } from "../components/Later.tsx"
import type { Business } from "./Business.ts"
import { Choice, CountInput, Input, Place } from "./Inputs.tsx"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

const Times = later<{ readonly business: Business; readonly words: BookWords }>(
  async () => (await import("./Times.tsx")).Times
)

const Seats = later<{ readonly words: BookWords }>(async () => (await import("./Seats.tsx")).Seats)

type Worded = { readonly words: BookWords }

/** The attributes of an address. */
export const address = { autocomplete: "off", maxLength: 500 }
const code = { autocomplete: "off", dir: "auto", maxLength: 100 } as const

/** Where a ride starts or ends: an address to choose, or an address to type and the area that decides the price. */
const Where = ({
  business,
  label,
  labelOfArea,
  side,
  words
}: Worded & {
  readonly business: Business
  readonly side: "pickup" | "dropoff"
  readonly label: string
  readonly labelOfArea: string
}) =>
  business.finds_places ? (
    <Place name={side} side={side} label={label} words={words} input={address} />
  ) : (
    <>
      <Input name={side} label={label} words={words} input={address} />
      <Place
        name={`${side}_area`}
        side={side}
        label={labelOfArea}
        hint={words.codeHint}
        words={words}
        input={code}
      />
    </>
  )

/** Whether and when the same people ride back. */
const Back = ({ words }: Worded) => {
  const { back } = state.draft.value
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={back}
          onChange={({ currentTarget }) => state.change({ back: currentTarget.checked })}
        />
        {words.withBack}
      </label>
      {back && (
        <div class="pair">
          <Input name="back_date" label={words.backDate} words={words} input={{ type: "date" }} />
          <Input name="back_time" label={words.backTime} words={words} input={{ type: "time" }} />
        </div>
      )}
    </>
  )
}

/** When it starts, and when the business takes bookings. */
export const Start = ({ business, words }: Worded & { readonly business: Business }) => (
  <>
    <div class="pair">
      <Input name="date" label={words.date} words={words} input={{ type: "date" }} />
      <Input name="time" label={words.time} words={words} input={{ type: "time" }} />
    </div>
    <Times business={business} words={words} />
  </>
)

/** Where and when a ride goes, and with whom. */
export const Ride = ({ business, words }: Worded & { readonly business: Business }): JSX.Element => {
  const { hourly } = state.draft.value
  return (
    <>
      <fieldset class="choices">
        <legend class="unseen">{words.kind}</legend>
        <Choice name="hourly" value="no" isChosen={!hourly} onChoose={() => state.change({ hourly: false })}>
          <span>{words.transfer}</span>
        </Choice>
        <Choice name="hourly" value="yes" isChosen={hourly} onChoose={() => state.change({ hourly: true })}>
          <span>{words.hourly}</span>
        </Choice>
      </fieldset>
      <Where
        business={business}
        side="pickup"
        label={words.from}
        labelOfArea={words.fromCode}
        words={words}
      />
      <Where business={business} side="dropoff" label={words.to} labelOfArea={words.toCode} words={words} />
      <Start business={business} words={words} />
      {!hourly && <Back words={words} />}
      {hourly && (
        <Input
          name="hours"
          label={words.hours}
          words={words}
          input={{ type: "number", inputMode: "decimal", min: 0.5, step: 0.5 }}
        />
      )}
      <div class="pair">
        <CountInput name="passengers" min={1} label={words.passengers} words={words} />
        <CountInput name="luggage" min={0} label={words.luggage} words={words} />
      </div>
      <Seats words={words} />
      <Input
        name="flight"
        label={words.flight}
        words={words}
        input={{ autocomplete: "off", autocapitalize: "characters", dir: "ltr" }}
      />
    </>
  )
}
