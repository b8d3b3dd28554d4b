/** The fields of a trip that are changed in place, in parts. */
import type { Trip, TripType, VehicleClass } from "@livery/client"
import { h } from "preact"
import { localOf, momentOf, money } from "../Formats.ts"
import { mayRead } from "../Member.ts"
import { FlightChip } from "../parts/FlightChip.tsx"
import type { RecordField } from "../parts/Record.tsx"
import { hrefOf } from "../Router.ts"
import type { AppWords } from "../words/en.ts"
import type { TripsWords } from "./words/en.ts"

export const tripTypes = [
  "transfer",
  "airport_arrival",
  "airport_departure",
  "hourly",
  "round_trip",
  "event",
  "other"
] as const satisfies ReadonlyArray<TripType>

export const vehicleClasses = [
  "sedan",
  "suv",
  "van",
  "minibus",
  "bus",
  "limousine",
  "other"
] as const satisfies ReadonlyArray<VehicleClass>

const textOf = (value: number | string | null | undefined) => String(value ?? "")

export const typeName = (type: TripType, words: AppWords): string => words[`type_${type}`]

export const className = (name: VehicleClass, words: AppWords): string => words[`class_${name}`]

/** When and where. */
export const rideFields = (trip: Trip, words: TripsWords): ReadonlyArray<RecordField> => [
  {
    name: "trip_date",
    label: words.pickup,
    kind: "datetime-local",
    isRequired: true,
    value: localOf(trip.trip_date),
    shown: momentOf(trip.trip_date)
  },
  { name: "duration_minutes", label: words.minutes, kind: "number", value: textOf(trip.duration_minutes) },
  { name: "pickup_address", label: words.from, value: trip.pickup_address, isRequired: true },
  { name: "dropoff_address", label: words.to, value: trip.dropoff_address, isRequired: true },
  {
    name: "flight_number",
    label: words.flight,
    value: textOf(trip.flight_number),
    shown:
      trip.flight_status === null
        ? undefined
        : [
            textOf(trip.flight_number),
            " ",
            h(FlightChip, { key: "flight", status: trip.flight_status, words })
          ]
  },
  { name: "terminal", label: words.terminal, value: textOf(trip.terminal) },
  {
    name: "trip_type",
    label: words.kind,
    isRequired: true,
    value: trip.trip_type,
    options: tripTypes.map((type) => [type, typeName(type, words)] as const),
    shown: typeName(trip.trip_type, words)
  },
  {
    name: "vehicle_class",
    label: words.vehicleClass,
    value: textOf(trip.vehicle_class),
    options: vehicleClasses.map((name) => [name, className(name, words)] as const),
    shown: trip.vehicle_class === null ? undefined : className(trip.vehicle_class, words)
  },
  { name: "participants_count", label: words.people, kind: "number", value: textOf(trip.participants_count) },
  { name: "luggage_count", label: words.luggage, kind: "number", value: textOf(trip.luggage_count) }
]

/** Who rides, and what the driver has to know. */
export const passengerFields = (trip: Trip, words: TripsWords): ReadonlyArray<RecordField> => [
  {
    name: "customer_name",
    label: words.passenger,
    value: trip.customer_name,
    isRequired: true,
    shown:
      trip.customer_id === null || !mayRead("customers")
        ? undefined
        : h("a", { href: hrefOf(`/customers/${trip.customer_id}`) }, h("bdi", null, trip.customer_name))
  },
  { name: "customer_phone", label: words.phone, kind: "tel", value: textOf(trip.customer_phone) },
  { name: "customer_email", label: words.email, kind: "email", value: textOf(trip.customer_email) },
  { name: "pickup_sign", label: words.sign, value: textOf(trip.pickup_sign) },
  {
    name: "special_requirements",
    label: words.requirements,
    kind: "area",
    value: textOf(trip.special_requirements)
  },
  { name: "notes", label: words.notesForDriver, kind: "area", value: textOf(trip.notes) }
]

/** What the office's books need. */
export const officeFields = (trip: Trip, words: TripsWords): ReadonlyArray<RecordField> => [
  {
    name: "total_amount",
    label: words.price,
    kind: "number",
    value: textOf(trip.total_amount),
    shown: money(trip.total_amount, trip.currency)
  },
  { name: "po_number", label: words.poNumber, value: textOf(trip.po_number) },
  { name: "cost_center", label: words.costCenter, value: textOf(trip.cost_center) },
  { name: "external_ref", label: words.externalRef, value: textOf(trip.external_ref) },
  { name: "internal_notes", label: words.internalNotes, kind: "area", value: textOf(trip.internal_notes) }
]
