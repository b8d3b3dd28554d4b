/** The booking page of a business: a ride or a product with its price, the visitor's details, and the confirmation. */
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Failed, failureText } from "../components/Failed.tsx"
import { focusFirstWrong } from "../components/Field.tsx"
import { Icon } from "../components/Icon.tsx"
import { later } from "../components/Later.tsx"
import { Notice } from "../components/Notice.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import { Shell, Skeleton } from "../shell/Shell.tsx"
import type { Business } from "./Business.ts"
import type * as ProductModule from "./Products.tsx"
import { Ride } from "./Ride.tsx"
import type * as ConfirmationModule from "./Confirmation.tsx"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"
import "./book.css"

const loadConfirmation = async () => (await import("./Confirmation.tsx")).Confirmation
const Confirmation = later<Parameters<typeof ConfirmationModule.Confirmation>[0]>(loadConfirmation)

const Prices = later<Worded>(async () => (await import("./Prices.tsx")).Prices)
const Contact = later<Worded>(async () => (await import("./Contact.tsx")).Contact)
const Offers = later<Parameters<typeof ProductModule.Offers>[0]>(
  async () => (await import("./Products.tsx")).Offers
)
const ProductFields = later<Parameters<typeof ProductModule.ProductFields>[0]>(
  async () => (await import("./Products.tsx")).ProductFields
)

type Worded = { readonly words: BookWords }

/** What the button does with the form as it is. */
const actionOf = (words: BookWords) => {
  if (state.booked.value !== null && !state.isSending.value) return words.retry
  if (state.product.value !== undefined) return words.bookNow
  const fare = state.fare.value
  if (fare !== undefined && state.estimate.value !== undefined)
    return fill(words.book, { price: format.money(fare.total_amount, state.estimate.value.currency) })
  if (state.priceRefusal.value?.isPassing === true) return words.retry
  return state.estimate.value === undefined && state.priceRefusal.value === undefined
    ? words.showPrice
    : words.request
}

const Form = ({ business, words }: Worded & { readonly business: Business }) => {
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    // The confirmation is needed soon.
    loadConfirmation().catch(() => {})
    await state.send()
    if (form.current !== null) focusFirstWrong(form.current)
  }
  const chosen = state.product.value
  const refused = state.refusal.value
  const isUnknown = state.booked.value !== null && !state.isSending.value
  return (
    <form class="stack" ref={form} noValidate onSubmit={(event) => void submit(event)}>
      {/* The same request is repeated while it is not known whether it was carried out. */}
      <div class="stack" inert={isUnknown}>
        <section class="card">
          <h1>{words.title}</h1>
          {business.products.length > 0 && <Offers business={business} words={words} />}
          {chosen === undefined ? (
            <Ride business={business} words={words} />
          ) : (
            <ProductFields business={business} product={chosen} words={words} />
          )}
        </section>
        {chosen === undefined && <Prices words={words} />}
        <Contact words={words} />
      </div>
      {state.isPriceGone.value && (
        <Notice tone="warn" role="alert">
          {chosen === undefined ? words.priceGone : words.placesGone}
        </Notice>
      )}
      {refused !== undefined && (
        <Notice tone="bad" role="alert">
          {(refused.isPassing || !isUnknown) && failureText(refused, words)} {isUnknown && words.unknown}
        </Notice>
      )}
      <button
        type="submit"
        class="button primary"
        aria-disabled={state.isSending.value || state.isPricing.value}
      >
        <Icon name="check" />
        {actionOf(words)}
      </button>
      {isUnknown && (
        <button type="button" class="button" onClick={() => state.begin(false)}>
          {words.another}
        </button>
      )}
    </form>
  )
}

export const BookPage = ({ words }: Worded): JSX.Element => {
  useEffect(() => {
    document.title = words.title
    void state.load().then(state.price).then(state.resume)
  }, [words])
  const business = state.business.value
  const failed = state.failure.value
  const booked = state.confirmed.value
  return (
    <Shell brand={business} words={words}>
      {failed !== undefined ? (
        <Failed failure={failed} words={words} gone={words.goneHelp} retry={() => void state.load()} />
      ) : business === undefined ? (
        <Skeleton heights={[560, 160, 380]} words={words} />
      ) : booked === null ? (
        <Form business={business} words={words} />
      ) : (
        <Confirmation booked={booked} business={business} words={words} />
      )}
      {business !== undefined && business.phone !== null && (
        <a class="button no-print" href={`tel:${business.phone.replaceAll(/[^+\d]/gu, "")}`}>
          <Icon name="phone" />
          {words.call}
        </a>
      )}
    </Shell>
  )
}
