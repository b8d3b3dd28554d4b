/** The events of a feed. */
import type { ActingBusiness } from "../business/Business.ts"
import type { CalendarEvent } from "../mail/CalendarFile.ts"
import type { CalendarEntry, CalendarKind } from "./CalendarLink.ts"

/** The parts that are there, in one text; null if there are none. */
const joined = (parts: ReadonlyArray<string | null>, separator: string): string | null => {
  const present = parts.filter((part) => part !== null && part !== "")
  return present.length === 0 ? null : present.join(separator)
}

const routeOf = ({ dropoff_address, pickup_address, title }: CalendarEntry) =>
  title ?? joined([pickup_address, dropoff_address], " – ") ?? ""

/** The text by which a calendar names the event. A customer reads the business's name, and the office the customer's. */
const summaryOf = (entry: CalendarEntry, kind: CalendarKind, { business_name }: ActingBusiness): string => {
  const route = routeOf(entry)
  if (kind === "customer") return `${route} – ${business_name}`
  return kind === "office" ? (joined([entry.customer_name, route], ": ") ?? route) : route
}

/** The facts of the event, one in a line. They have no labels, so that they need no language. */
const descriptionOf = (entry: CalendarEntry, kind: CalendarKind): string | null => {
  const passenger = [
    entry.customer_name,
    entry.participants_count === null ? null : `(${entry.participants_count})`,
    entry.customer_phone
  ]
  const lines = [
    entry.reference,
    joined(kind === "customer" ? [] : passenger, " "),
    joined([entry.flight_number, entry.terminal], ", "),
    entry.notes,
    entry.special_requirements,
    joined(entry.drivers, ", ")
  ]
  return joined(lines, "\n")
}

/** An event of a feed without its id. The stamp is the time of the last change, so that an unchanged feed has the same bytes. */
export const calendarEvent = (
  entry: CalendarEntry,
  kind: CalendarKind,
  business: ActingBusiness
): Omit<CalendarEvent, "uid"> => ({
  status: entry.state,
  summary: summaryOf(entry, kind, business),
  description: descriptionOf(entry, kind),
  location: entry.pickup_address,
  starts_at: entry.starts_at,
  ends_at: entry.ends_at,
  stamp: entry.changed_at
})
