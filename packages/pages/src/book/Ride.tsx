/** The fields of a ride or of a product, and when it may start. */
import type { JSX } from "preact"
import { Facts } from "../components/Facts.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import { asksFor, seatTypes } from "./Draft.ts"
import type { Business, Product } from "./Business.ts"
import { Choice, CountInput, Input } from "./Inputs.tsx"
import * as state from "./state.ts"
import { Times } from "./Times.tsx"
import type { BookWords } from "./words/en.ts"

type Worded = { readonly words: BookWords }

const address = { autocomplete: "off", maxLength: 500 }
const code = { autocomplete: "off", autocapitalize: "characters", dir: "ltr", maxLength: 60 } as const

const Start = ({ business, words }: Worded & { readonly business: Business }) => (
  <>
    <div class="pair">
      <Input name="date" label={words.date} words={words} input={{ type: "date" }} />
      <Input name="time" label={words.time} words={words} input={{ type: "time" }} />
    </div>
    <Times business={business} words={words} />
  </>
)

const Seats = ({ words }: Worded) => {
  const isUsed = seatTypes.some((type) => Number(state.draft.value[type]) !== 0)
  const isWrong = [state.refusal.value, state.priceRefusal.value].some((failure) =>
    failure?.details.some(({ field }) => field.startsWith("child_seats"))
  )
  return (
    <details open={isUsed || isWrong}>
      <summary>{words.childSeats}</summary>
      <div class="triple">
        {seatTypes.map((type) => (
          <CountInput key={type} name={type} min={0} label={words.seats[type]} words={words} />
        ))}
      </div>
      {isWrong && (
        <p class="wrong small" role="alert">
          {words.invalid}
        </p>
      )}
    </details>
  )
}

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
      <Input name="pickup" label={words.from} words={words} input={address} />
      <Input name="pickup_code" label={words.fromCode} hint={words.codeHint} words={words} input={code} />
      <Input name="dropoff" label={words.to} words={words} input={address} />
      <Input name="dropoff_code" label={words.toCode} hint={words.codeHint} words={words} input={code} />
      <Start business={business} words={words} />
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

/** The price of a product in words: for each person, or for all. */
export const productPrice = ({ currency, kind, price }: Product, words: BookWords): string =>
  fill(kind === "tour" || kind === "other" ? words.perPerson : words.perBooking, {
    price: format.money(price, currency)
  })

/** When a product starts, for how many, and where if it has no place of its own. */
export const ProductFields = ({
  business,
  product,
  words
}: Worded & { readonly business: Business; readonly product: Product }): JSX.Element => (
  <>
    <Facts
      facts={[
        [words.price, productPrice(product, words)],
        [words.lasts, format.duration(product.duration_minutes)],
        [words.from, product.pickup_address && <bdi>{product.pickup_address}</bdi>],
        [words.to, product.dropoff_address && <bdi>{product.dropoff_address}</bdi>]
      ]}
    />
    {asksFor("pickup", product) && <Input name="pickup" label={words.from} words={words} input={address} />}
    {asksFor("dropoff", product) && <Input name="dropoff" label={words.to} words={words} input={address} />}
    <Start business={business} words={words} />
    <CountInput name="passengers" min={1} label={words.people} words={words} />
  </>
)
