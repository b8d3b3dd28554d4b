/** What was booked or asked for: its reference, a file for a calendar, and the next ride. */
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Facts } from "../components/Facts.tsx"
import { Icon } from "../components/Icon.tsx"
import { Notice } from "../components/Notice.tsx"
import { Time } from "../components/Time.tsx"
import { fill } from "../i18n/Format.ts"
import { format, language } from "../i18n/Language.ts"
import type { Business, VehicleClass } from "./Business.ts"
import { calendarFile } from "./Calendar.ts"
import { asksFor } from "./Draft.ts"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

/** How long an entry of a calendar is if the end of the ride is not known, in milliseconds. */
const anHour = 3_600_000

const outcomeOf = ({ requested, status }: state.Booked["answer"]) => {
  if (requested === true) return "requested"
  return status === "pending" ? "pending" : "confirmed"
}

const outcomes = {
  requested: ["plain", "requestedTitle", "requestedNext"],
  pending: ["plain", "pendingTitle", "pendingNext"],
  confirmed: ["good", "bookedTitle", "bookedNext"]
} as const

const startOf = ({ starts_at, trip_date }: state.Booked["answer"]) => trip_date ?? starts_at

const endOf = (
  { ends_at }: state.Booked["answer"],
  start: string,
  { hourly, hours }: state.Booked["draft"]
) => ends_at ?? new Date(Date.parse(start) + (hourly ? Number(hours) : 1) * anHour).toISOString()

/** Where it begins or ends: as typed, or the place of the product. */
const placeOf = (side: "pickup" | "dropoff", { draft, product }: state.Booked) =>
  product === null || asksFor(side, product) ? draft[side] : (product[`${side}_address`] ?? "")

/** Gives the browser a file to save. */
const save = (name: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/calendar" }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), anHour / 60)
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
  const { answer, draft, product } = booked
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const outcome = outcomeOf(answer)
  const [tone, headline, next] = outcomes[outcome]
  const start = startOf(answer)
  const from = placeOf("pickup", booked)
  const to = placeOf("dropoff", booked)
  const download = (at: string) =>
    save(
      `${answer.reference}.ics`,
      calendarFile({
        id: `${answer.reference}@${location.host}`,
        start: at,
        end: endOf(answer, at, draft),
        title: `${business.business_name}: ${product?.name ?? (to.trim() === "" ? from : `${from} – ${to}`)}`,
        place: from,
        text: [answer.reference, business.phone ?? ""].join("\n").trim(),
        isConfirmed: outcome === "confirmed"
      })
    )
  return (
    <>
      <section class="card">
        <h1 ref={title} tabIndex={-1}>
          {words[headline]}
        </h1>
        <Notice tone={tone}>{fill(words[next], { business: business.business_name })}</Notice>
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
          {start !== undefined && (
            <button type="button" class="button primary" onClick={() => download(start)}>
              <Icon name="calendar" />
              {words.calendar}
            </button>
          )}
          {answer.tracking_token !== undefined && (
            <a class="button" href={`../track?lang=${language}#${answer.tracking_token}`}>
              <Icon name="car" />
              {words.follow}
            </a>
          )}
          {product === null && (
            <button type="button" class="button" onClick={() => state.begin(true)}>
              {words.wayBack}
            </button>
          )}
          <button type="button" class="button" onClick={() => state.begin(false)}>
            {words.another}
          </button>
        </div>
      </section>
    </>
  )
}
