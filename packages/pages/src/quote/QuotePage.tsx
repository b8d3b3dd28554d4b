/** The page of a quote: the offer line by line, and how to accept or decline it. */
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Dialog } from "../components/Dialog.tsx"
import { Facts } from "../components/Facts.tsx"
import { Failed, failureText } from "../components/Failed.tsx"
import { Field, fieldError, focusFirstWrong } from "../components/Field.tsx"
import { Icon } from "../components/Icon.tsx"
import { Notice, type Tone } from "../components/Notice.tsx"
import { Time } from "../components/Time.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import { Shell, Skeleton } from "../shell/Shell.tsx"
import type { Quote } from "./Quote.ts"
import * as state from "./state.ts"
import type { QuoteWords } from "./words/en.ts"
import "./quote.css"

type Worded = { readonly words: QuoteWords }

const outcomes = {
  accepted: ["good", "accepted", "acceptedNext"],
  converted: ["good", "converted", "convertedNext"],
  rejected: ["plain", "rejected", "rejectedNext"],
  expired: ["warn", "expired", "expiredNext"]
} as const satisfies Record<string, readonly [Tone, keyof QuoteWords, keyof QuoteWords]>

/** What has become of the offer; nothing while it is open. */
const Outcome = ({ offer, words }: Worded & { readonly offer: Quote }) => {
  const outcome = outcomes[offer.status as keyof typeof outcomes] as
    | (typeof outcomes)[keyof typeof outcomes]
    | undefined
  if (outcome === undefined) return null
  const [tone, title, next] = outcome
  return (
    <Notice tone={tone} role="status">
      <strong>{words[title]}</strong>
      <br />
      {fill(words[next], { business: offer.business.business_name })}
    </Notice>
  )
}

const Lines = ({ offer, words }: Worded & { readonly offer: Quote }) => {
  const price = (amount: number | null) =>
    amount === null ? words.onRequest : format.money(amount, offer.currency)
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{words.item}</th>
          <th scope="col" class="amount">
            {words.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {offer.items.map((item, index) => (
          <tr key={index}>
            <td>
              <strong dir="auto">{item.description}</strong>
              <Facts
                facts={[
                  [
                    words.pickup,
                    item.trip_date && (
                      <Time at={item.trip_date} zone={item.pickup_timezone ?? offer.timezone} words={words} />
                    )
                  ],
                  [words.from, item.pickup_address && <bdi>{item.pickup_address}</bdi>],
                  [words.to, item.dropoff_address && <bdi>{item.dropoff_address}</bdi>]
                ]}
              />
            </td>
            <td class="amount">{price(item.amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr class="total">
          <th scope="row">{words.total}</th>
          <td class="amount">{price(offer.total_amount)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** Why an answer was not taken, if no field is to blame. */
const Refusal = ({ field, words }: Worded & { readonly field: string }) => {
  const refused = state.refusal.value
  if (refused === undefined || fieldError(refused, field, words) !== undefined) return null
  return (
    <Notice tone="bad" role="alert">
      {failureText(refused, words)}
    </Notice>
  )
}

const Acceptance = ({ words }: Worded) => {
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    await state.accept()
    if (form.current !== null) focusFirstWrong(form.current)
  }
  return (
    <form class="card no-print" ref={form} noValidate onSubmit={(event) => void submit(event)}>
      <Field
        label={words.name}
        hint={words.nameHint}
        error={state.isDeclining.value ? undefined : fieldError(state.refusal.value, "name", words)}
      >
        {(control) => (
          <input
            {...control}
            autocomplete="name"
            value={state.name.value}
            onInput={({ currentTarget }) => {
              state.name.value = currentTarget.value
            }}
          />
        )}
      </Field>
      {!state.isDeclining.value && <Refusal field="name" words={words} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={state.isSending.value}>
          <Icon name="check" />
          {words.accept}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            state.refusal.value = undefined
            state.isDeclining.value = true
          }}
        >
          {words.decline}
        </button>
      </div>
    </form>
  )
}

const Declining = ({ words }: Worded) => (
  <Dialog
    title={words.declineTitle}
    onClose={() => {
      state.isDeclining.value = false
    }}
  >
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void state.decline()
      }}
    >
      <Field label={words.reason} error={fieldError(state.refusal.value, "reason", words)}>
        {(control) => (
          <textarea
            {...control}
            value={state.reason.value}
            onInput={({ currentTarget }) => {
              state.reason.value = currentTarget.value
            }}
          />
        )}
      </Field>
      <Refusal field="reason" words={words} />
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={state.isSending.value}>
          {words.decline}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            state.isDeclining.value = false
          }}
        >
          {words.cancel}
        </button>
      </div>
    </form>
  </Dialog>
)

const Offer = ({ offer, words }: Worded & { readonly offer: Quote }) => {
  const { phone } = offer.business
  return (
    <>
      <Outcome offer={offer} words={words} />
      <section class="card">
        <h1>
          {words.title}
          <span class="reference muted">{fill(words.offer, { reference: offer.reference })}</span>
        </h1>
        <Lines offer={offer} words={words} />
        {offer.valid_until !== null && (
          <Facts
            facts={[
              [
                words.validUntil,
                <Time key="until" at={offer.valid_until} zone={offer.timezone} words={words} />
              ]
            ]}
          />
        )}
      </section>
      {offer.allowed_transitions.includes("accepted") && <Acceptance words={words} />}
      {phone !== null && (
        <a class="button no-print" href={`tel:${phone.replaceAll(/[^+\d]/gu, "")}`}>
          <Icon name="phone" />
          {words.call}
        </a>
      )}
      {state.isDeclining.value && <Declining words={words} />}
    </>
  )
}

export const QuotePage = ({ words }: Worded): JSX.Element => {
  useEffect(() => {
    document.title = words.title
    void state.load()
  }, [words])
  const offer = state.quote.value
  const failed = state.failure.value
  return (
    <Shell brand={offer?.business} words={words}>
      {failed !== undefined ? (
        <Failed failure={failed} words={words} gone={words.goneHelp} retry={() => void state.load()} />
      ) : offer === undefined ? (
        <Skeleton heights={[380, 220]} words={words} />
      ) : (
        <Offer offer={offer} words={words} />
      )}
    </Shell>
  )
}
