/** The departures of a product on the days of a month, with the places that are left. */
import type { Departures, Product } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { fill } from "../../i18n/Format.ts"
import { format, locale } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { dateOf, daysAfter } from "../Formats.ts"
import { AppIcon } from "../parts/AppIcon.tsx"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { hrefOf } from "../Router.ts"
import type { SalesWords } from "./words/en.ts"

/** The first day of the month that many months after the month of `day`. */
const monthAfter = (day: string, months: number) => {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + months)
  return first.toISOString().slice(0, 10)
}

const daysOf = (month: string) => {
  const count = (Date.parse(monthAfter(month, 1)) - Date.parse(month)) / 86_400_000
  return Array.from({ length: count }, (_, index) => daysAfter(month, index))
}

const nameOf = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`))

const Departure = ({
  departure: { cancelled, places_left, seats, starts_local, trip_id },
  words
}: {
  readonly departure: Departures
  readonly words: SalesWords
}) => {
  const time = starts_local.slice(11, 16)
  const places = cancelled
    ? words.cancelled
    : places_left === 0
      ? words.full
      : fill(words.placesLeft, { left: format.number(places_left), seats: format.number(seats) })
  return (
    <li class={cancelled || places_left === 0 ? "full" : undefined}>
      {trip_id === null ? time : <a href={hrefOf(`/trips/${trip_id}`)}>{time}</a>} {places}
    </li>
  )
}

export const Capacity = ({
  product,
  reading: { at },
  words
}: {
  readonly product: Product
  readonly reading: Reading<Product>
  readonly words: SalesWords
}): JSX.Element => {
  const today = dateOf(Date.now())
  const [month, setMonth] = useState(() => monthAfter(today, 0))
  const days = daysOf(month)
  const id = product.product_id
  const reading = useReading(`departures ${id} ${month} ${at}`, () =>
    api.products.departures({ id, date_from: month, date_to: days.at(-1) ?? month })
  )
  const before = (new Date(`${month}T00:00:00Z`).getUTCDay() + 6) % 7
  const step = (label: string, icon: "previous" | "next", months: number) => (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      onClick={() => setMonth(monthAfter(month, months))}
    >
      <AppIcon name={icon} />
    </button>
  )
  return (
    <section class="card record wide">
      <div class="record-head">
        <h2>{words.freePlaces}</h2>
        <div class="row">
          {step(words.monthBefore, "previous", -1)}
          <strong aria-live="polite">{nameOf(month, { month: "long", year: "numeric" })}</strong>
          {step(words.monthAfter, "next", 1)}
        </div>
      </div>
      <Loaded reading={reading} words={words} heights={[260]}>
        {(departures) => (
          <ol class="capacity" aria-label={words.freePlaces}>
            {Array.from({ length: before }, (_, index) => (
              <li key={`before ${index}`} class="outside" aria-hidden="true" />
            ))}
            {days.map((day) => {
              const own = departures.filter(({ starts_local }) => starts_local.startsWith(day))
              return (
                <li
                  key={day}
                  class={own.length === 0 ? "quiet" : undefined}
                  aria-current={day === today ? "date" : undefined}
                >
                  <time dateTime={day} class="muted">
                    {nameOf(day, { weekday: "short", day: "numeric" })}
                  </time>
                  {own.length > 0 && (
                    <ul>
                      {own.map((departure) => (
                        <Departure key={departure.starts_at} departure={departure} words={words} />
                      ))}
                    </ul>
                  )}
                </li>
              )
            })}
          </ol>
        )}
      </Loaded>
    </section>
  )
}
