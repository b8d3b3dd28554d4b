/** When the business takes bookings, in words, before it refuses a time. */
import type { JSX } from "preact"
import { fill, isSameTime, ownZone } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import type { BookingTimes, Business, Days } from "./Business.ts"
import type { BookWords } from "./words/en.ts"

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

/** How many closed days are listed. */
const shownDays = 6

const days = ({ from, to }: Days) =>
  to === null || to === from ? format.day(from) : `${format.day(from)} – ${format.day(to)}`

const clock = (time: string) => format.time(`2000-01-01T${time.slice(0, 5)}:00Z`, "UTC")

const openingHours = (window: BookingTimes["opening_hours"][number]) => {
  const hours =
    window.from === null && window.to === null
      ? ""
      : `${clock(window.from ?? "00:00")} – ${clock(window.to ?? "24:00")}`
  const names = window.weekdays.map((day) => format.weekday(weekdays.indexOf(day)))
  return [names.join(", "), hours, window.dates.map(days).join(", ")].filter((part) => part !== "").join(": ")
}

/** Days that are not over; those of every year are always to come. */
const isToCome = ({ from, to }: Days) =>
  from.length === 5 || (to ?? from) >= new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

const List = ({ items, title }: { readonly title: string; readonly items: ReadonlyArray<string> }) =>
  items.length === 0 ? null : (
    <div>
      {title}
      <ul class="rules">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )

export const Times = ({
  business,
  words
}: {
  readonly business: Business
  readonly words: BookWords
}): JSX.Element => {
  const { blackout_dates, class_leads, lead_minutes, manual_pricing_hours, opening_hours } =
    business.booking_page
  const now = new Date().toISOString()
  return (
    <div class="small muted times">
      {!isSameTime(now, business.timezone, ownZone()) && (
        <p>{fill(words.zone, { zone: format.zoneName(now, business.timezone) })}</p>
      )}
      {lead_minutes > 0 && <p>{fill(words.lead, { time: format.duration(lead_minutes) })}</p>}
      {class_leads.map(({ minutes, vehicle_class }) => (
        <p key={vehicle_class}>
          {fill(words.classLead, { car: words.classes[vehicle_class], time: format.duration(minutes) })}
        </p>
      ))}
      <List title={words.open} items={opening_hours.map(openingHours)} />
      <List title={words.closed} items={blackout_dates.filter(isToCome).slice(0, shownDays).map(days)} />
      {manual_pricing_hours > 0 && (
        <p>{fill(words.manual, { time: format.duration(manual_pricing_hours * 60) })}</p>
      )}
    </div>
  )
}
