/** What happened to a trip, in words. */
import type { Timeline as Change, Trip } from "@livery/client"
import type { JSX } from "preact"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { momentOf, money } from "../Formats.ts"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import type { TripsWords } from "./words/en.ts"

type Worded = { readonly words: TripsWords }

/** The fields that a change names, by their names in the API. */
const fieldNames: Readonly<Record<string, keyof TripsWords>> = {
  trip_date: "pickup",
  pickup_address: "from",
  dropoff_address: "to",
  customer_name: "passenger",
  customer_phone: "phone",
  customer_email: "email",
  duration_minutes: "minutes",
  total_amount: "price",
  total_minor: "price",
  notes: "notesForDriver",
  internal_notes: "internalNotes",
  special_requirements: "requirements",
  flight_number: "flight",
  terminal: "terminal",
  trip_type: "kind",
  vehicle_class: "vehicleClass",
  participants_count: "people",
  luggage_count: "luggage",
  pickup_sign: "sign",
  po_number: "poNumber",
  cost_center: "costCenter",
  external_ref: "externalRef",
  car_id: "car"
}

/** A value of a change as text. */
const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : JSON.stringify(value ?? "")

const valueOf = (name: string, value: unknown, { currency }: Trip, words: TripsWords): string => {
  if (value === null || value === undefined || value === "") return words.none
  if (name === "trip_date") return momentOf(textOf(value))
  if (name === "total_amount") return money(Number(value), currency)
  if (name === "status" || name === "driver_status")
    return words[textOf(value) as keyof TripsWords] ?? textOf(value)
  return textOf(value)
}

const changesIn = ({ after, before }: Change, trip: Trip, words: TripsWords) =>
  Object.keys(after ?? {})
    .filter((name) => name in fieldNames && name !== "total_minor")
    .map((name) =>
      fill(words.changedTo, {
        field: words[fieldNames[name] ?? "details"],
        before: valueOf(name, before?.[name], trip, words),
        after: valueOf(name, after?.[name], trip, words)
      })
    )

/** The sentence for a driver who is off the trip: taken off, or by the driver's own decision. */
const removalOf = ({ after }: Change, driver: string, words: TripsWords): string => {
  if (after?.["declined_at"] === undefined) return fill(words.wasRemoved, { driver })
  const { reason } = after
  return reason === undefined
    ? fill(words.driverDeclined, { driver })
    : fill(words.driverDeclinedFor, { driver, reason: textOf(reason) })
}

/** The sentence for a change. */
const sentenceOf = (change: Change, trip: Trip, words: TripsWords): string => {
  const driver = trip.drivers.find(({ driver_id }) => driver_id === change.driver_id)?.name ?? words.aDriver
  const state = valueOf("status", change.after?.["status"], trip, words)
  switch (change.change) {
    case "created":
      return words.wasCreated
    case "status_changed":
      return fill(words.becameStatus, { status: state })
    case "driver_assigned":
      return fill(words.wasAssigned, { driver })
    case "driver_removed":
      return removalOf(change, driver, words)
    case "driver_accepted":
      return fill(words.driverAccepted, { driver })
    case "driver_acceptance_ended":
      return fill(words.acceptanceEnded, { driver })
    case "driver_status_changed":
      return fill(words.driverBecame, { driver, status: state })
    case "driver_car_changed":
      return fill(words.carChanged, { driver })
    case "milestone_reached": {
      const milestone = textOf(change.after?.["milestone"])
      return fill(words.reached, {
        driver,
        milestone: words[`milestone_${milestone}` as keyof TripsWords] ?? milestone
      })
    }
    case "notice":
      return fill(words.told, {
        notice: words[`notice_${textOf(change.after?.["kind"])}` as keyof TripsWords] ?? words.notices,
        channel: words[`channel_${textOf(change.after?.["channel"])}` as keyof TripsWords] ?? "",
        status: words[`notice_${textOf(change.after?.["status"])}` as keyof TripsWords] ?? ""
      })
    default:
      return changesIn(change, trip, words).join(" · ") || words.wasUpdated
  }
}

export const Timeline = ({
  reading: { at },
  trip,
  words
}: Worded & { readonly trip: Trip; readonly reading: Reading<Trip> }): JSX.Element => {
  const id = trip.trip_id
  // Not `updated_at`: two changes within a second share it.
  const reading = useReading(`timeline ${id} ${at}`, async () => {
    const { data } = await api.trips.timeline({ id, per_page: 100 }).page()
    return data
  })
  return (
    <section class="card record wide">
      <h2>{words.timeline}</h2>
      <Loaded reading={reading} words={words} heights={[120]}>
        {(changes) => (
          <ol class="timeline" reversed>
            {changes.map((change) => (
              <li key={change.change_id}>
                <time dateTime={change.at}>{momentOf(change.at)}</time>
                <span>
                  {sentenceOf(change, trip, words)} <bdi class="muted small">{change.actor_name}</bdi>
                </span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  )
}
