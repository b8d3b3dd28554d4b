/** The products of the business, and the fields of the chosen one. */
import type { JSX } from "preact"
import { Facts } from "../components/Facts.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import type { Business, Product } from "./Business.ts"
import { Departures } from "./Departures.tsx"
import { asksFor } from "./RideBody.ts"
import { Choice, CountInput, Input } from "./Inputs.tsx"
import { address, Start } from "./Ride.tsx"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

type Worded = { readonly words: BookWords }

/** The price of a product in words: for each person, or for all. */
const productPrice = ({ currency, kind, price }: Product, words: BookWords): string =>
  fill(kind === "tour" || kind === "other" ? words.perPerson : words.perBooking, {
    price: format.money(price, currency)
  })

/** Chooses a product. The start of another one is no departure of a tour. */
const choose = ({ departures, product_id }: Product) =>
  state.change({ product: String(product_id), ...(departures.length > 0 ? { date: "", time: "" } : {}) })

/** A ride, or one of the products. */
export const Offers = ({ business, words }: Worded & { readonly business: Business }): JSX.Element => {
  const chosen = state.product.value
  return (
    <fieldset class="stack">
      <legend class="unseen">{words.choose}</legend>
      <Choice
        name="product"
        value=""
        isChosen={chosen === undefined}
        onChoose={() => state.change({ product: "" })}
      >
        <strong>{words.ride}</strong>
      </Choice>
      {business.products.map((product) => (
        <Choice
          key={product.product_id}
          name="product"
          value={String(product.product_id)}
          isChosen={chosen?.product_id === product.product_id}
          onChoose={() => choose(product)}
        >
          <span>
            <strong dir="auto">{product.name}</strong>
            {product.description !== null && (
              <span class="small muted" dir="auto">
                {product.description}
              </span>
            )}
          </span>
          <span>{productPrice(product, words)}</span>
        </Choice>
      ))}
    </fieldset>
  )
}

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
    {product.departures.length > 0 ? (
      <Departures key={product.product_id} business={business} product={product} words={words} />
    ) : (
      <Start business={business} words={words} />
    )}
    <CountInput name="passengers" min={1} label={words.people} words={words} />
  </>
)
