/** What was booked or asked for: its reference, a file for a calendar, the payment, and the next ride. */
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Facts } from "../components/Facts.tsx"
import { Icon } from "../components/Icon.tsx"
import { Notice } from "../components/Notice.tsx"
import { Time } from "../components/Time.tsx"
import { fill } from "../i18n/Format.ts"
import { format, language } from "../i18n/Language.ts"
import type { Answer, Business, VehicleClass } from "./Business.ts"
import { calendarFile } from "./Calendar.ts"
import { type Draft, waysOf } from "./Draft.ts"
import { asksFor } from "./RideBody.ts"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

/** How long an entry of a calendar is if the end of the ride is not known, in milliseconds. */
const anHour = 3_600_000

const outcomeOf = ({ requested, status }: Partial<Answer>) => {
  if (requested === true) return "requested"
  return status === "pending" ? "pending" : "confirmed"
}

const outcomes = {
  requested: ["plain", "requestedTitle", "requestedNext"],
  pending: ["plain", "pendingTitle", "pendingNext"],
  confirmed: ["good", "bookedTitle", "bookedNext"]
} as const

const startOf = ({ starts_at, trip_date }: Answer) => trip_date ?? starts_at

/** One of the ways, or the product. */
interface Part {
  readonly answer: Answer
  readonly draft: Draft
  readonly product: state.Booked["product"]
}

const partsOf = ({ answers, draft, product }: state.Booked): ReadonlyArray<Part> =>
  waysOf(draft).flatMap((way, index) => {
    const answer = answers[index]
    return answer === undefined ? [] : [{ answer, draft: way, product }]
  })

/** Where it begins or ends: as typed, or the place of the product. */
const placeOf = (side: "pickup" | "dropoff", { draft, product }: Part) =>
  product === null || asksFor(side, product) ? draft[side] : (product[`${side}_address`] ?? "")

const entriesOf = (part: Part, { business_name, phone }: Business) => {
  const { answer, draft, product } = part
  const { ends_at, reference } = answer
  const start = startOf(answer)
  const from = placeOf("pickup", part)
  const to = placeOf("dropoff", part)
  if (start === undefined) return []
  const hours = draft.hourly ? Number(draft.hours) : 1
  return [
    {
      id: `${reference}@${location.host}`,
      start,
      end: ends_at ?? new Date(Date.parse(start) + hours * anHour).toISOString(),
      title: `${business_name}: ${product?.name ?? (to.trim() === "" ? from : `${from} – ${to}`)}`,
      place: from,
      text: [reference, phone ?? ""].join("\n").trim(),
      isConfirmed: outcomeOf(answer) === "confirmed"
    }
  ]
}

/** Gives the browser a file to save. */
const save = (name: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/calendar" }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), anHour / 60)
}

/** Links that leave a frame open beside the site that has it. */
const beside = state.isFramed ? { target: "_blank", rel: "noreferrer" } : {}

const Booking = ({
  business,
  part,
  words
}: {
  readonly part: Part
  readonly business: Business
  readonly words: BookWords
}) => {
  const { answer, draft, product } = part
  const start = startOf(answer)
  const from = placeOf("pickup", part)
  const to = placeOf("dropoff", part)
  const { payment_hash } = answer
  return (
    <>
      <Facts
        facts={[
          [words.reference, <strong key="reference">{answer.reference}</strong>],
          [
            words.when,
            start !== undefined && <Time key="when" at={start} zone={business.timezone} words={words} />
          ],
          [words.offer, product && <bdi>{product.name}</bdi>],
          [words.from, from !== "" && <bdi>{from}</bdi>],
          [words.to, to !== "" && <bdi>{to}</bdi>],
          [
            words.car,
            product === null && words.classes[(answer.vehicle_class ?? draft.vehicle_class) as VehicleClass]
          ],
          [product === null ? words.passengers : words.people, draft.passengers],
          [
            words.price,
            typeof answer.total_amount === "number" &&
              format.money(answer.total_amount, answer.currency ?? business.currency)
          ],
          [
            words.heldUntil,
            typeof answer.expires_at === "string" && (
              <Time key="held" at={answer.expires_at} zone={business.timezone} words={words} />
            )
          ]
        ]}
      />
      <div class="actions no-print">
        {typeof payment_hash === "string" && (
          <a class="button primary" href={`../pay?lang=${language}#invoice=${payment_hash}`} {...beside}>
            <Icon name="document" />
            {words.pay}
          </a>
        )}
        {answer.tracking_token !== undefined && (
          <a class="button" href={`../track?lang=${language}#${answer.tracking_token}`} {...beside}>
            <Icon name="car" />
            {words.follow}
          </a>
        )}
      </div>
    </>
  )
}

export const Confirmation = ({
  booked,
  business,
  words
}: {
  readonly booked: state.Booked
  readonly business: Business
  readonly words: BookWords
}): JSX.Element => {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const parts = partsOf(booked)
  const isBackMissing = parts.length < waysOf(booked.draft).length
  const isBackUnknown = booked.rest.length > 0
  const [tone, headline, next] = outcomes[outcomeOf(booked.answers[0] ?? {})]
  const entries = parts.flatMap((part) => entriesOf(part, business))
  return (
    <>
      <section class="card">
        <h1 ref={title} tabIndex={-1}>
          {words[headline]}
        </h1>
        <Notice tone={tone}>{fill(words[next], { business: business.business_name })}</Notice>
        {isBackMissing && (
          <Notice tone="warn" role="alert">
            {isBackUnknown ? `${words.backWay}: ${words.unknown}` : words.backMissing}
          </Notice>
        )}
        {isBackUnknown && (
          <button
            type="button"
            class="button primary no-print"
            aria-disabled={state.isSending.value}
            onClick={() => void state.send()}
          >
            {words.retry}
          </button>
        )}
        {parts.length === 1 &&
          parts.map((part) => <Booking key={0} part={part} business={business} words={words} />)}
      </section>
      {parts.length > 1 &&
        parts.map((part, index) => (
          <section class="card" key={index}>
            <h2>{index === 0 ? words.there : words.backWay}</h2>
            <Booking part={part} business={business} words={words} />
          </section>
        ))}
      <div class="actions no-print">
        {entries.length > 0 && (
          <button
            type="button"
            class="button"
            onClick={() => save(`${booked.answers[0]?.reference ?? ""}.ics`, calendarFile(entries))}
          >
            <Icon name="calendar" />
            {words.calendar}
          </button>
        )}
        {booked.product === null && parts.length === 1 && !isBackUnknown && (
          <button type="button" class="button" onClick={() => state.begin(true)}>
            {words.wayBack}
          </button>
        )}
        <button type="button" class="button" onClick={() => state.begin(false)}>
          {words.another}
        </button>
      </div>
    </>
  )
}
