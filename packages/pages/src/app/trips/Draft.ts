/** A trip while it is typed: its texts, where its addresses are, and its price by the tariff. */
import type {
  Customer,
  FareEstimate,
  Places,
  Trip,
  TripsCreateInput,
  TripTemplate,
  VehicleClass
} from "@livery/client"
import { locale } from "../../i18n/Language.ts"
import { numberIn } from "../../i18n/Numbers.ts"
import { api } from "../Api.ts"
import { dateOf, daysAfter, localOf } from "../Formats.ts"
import { member } from "../Member.ts"

/** A place with what is known of it: only with a postal code or a point does a tariff have a price. */
export interface Place {
  readonly address: string
  readonly postal_code: string | null
  readonly lat: number | null
  readonly lng: number | null
  readonly airport: string | null
}

/** What was typed. */
export interface Draft {
  readonly customer: Customer | undefined
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly at: string
  readonly hasReturn: boolean
  readonly returnAt: string
  readonly from: Place
  readonly stops: ReadonlyArray<Place>
  readonly to: Place
  readonly vehicleClass: VehicleClass | ""
  readonly people: string
  readonly flight: string
  readonly notes: string
  /** The agreed price; without one, the price of the tariff is taken. */
  readonly price: string
}

/** A place of which only the text is known. */
export const placeOf = (address: string): Place => ({
  address,
  postal_code: null,
  lat: null,
  lng: null,
  airport: null
})

/** The next full hour but one, on the clock of the business. */
const soon = () => localOf(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000)

export const emptyDraft = (): Draft => ({
  customer: undefined,
  name: "",
  phone: "",
  email: "",
  at: soon(),
  hasReturn: false,
  returnAt: `${daysAfter(dateOf(Date.now()), 1)}T12:00`,
  from: placeOf(""),
  stops: [],
  to: placeOf(""),
  vehicleClass: "",
  people: "",
  flight: "",
  notes: "",
  price: ""
})

const templateText = (template: TripTemplate, name: string) => {
  const value = template.trip[name]
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

/** One end of the ride of a template. */
const templatePlace = (template: TripTemplate, name: "pickup" | "dropoff"): Place => {
  const number = (field: string) => {
    const value = template.trip[`${name}_${field}`]
    return typeof value === "number" ? value : null
  }
  return {
    address: templateText(template, `${name}_address`),
    postal_code: templateText(template, `${name}_postal_code`) || null,
    lat: number("lat"),
    lng: number("lng"),
    airport: templateText(template, `${name}_airport`) || null
  }
}

/** The draft of a trip from a template; the server adds the fields of the template that the form does not show. */
export const draftOfTemplate = (template: TripTemplate): Draft => {
  const stops = template.trip["stops"]
  return {
    ...emptyDraft(),
    name: templateText(template, "customer_name"),
    phone: templateText(template, "customer_phone"),
    email: templateText(template, "customer_email"),
    from: templatePlace(template, "pickup"),
    to: templatePlace(template, "dropoff"),
    stops: (Array.isArray(stops) ? (stops as ReadonlyArray<Pick<Place, "address" | "lat" | "lng">>) : []).map(
      ({ address, lat, lng }) => ({ ...placeOf(address), lat, lng })
    ),
    vehicleClass: templateText(template, "vehicle_class") as VehicleClass | "",
    people: templateText(template, "participants_count"),
    flight: templateText(template, "flight_number"),
    notes: templateText(template, "notes"),
    price: templateText(template, "total_amount")
  }
}

/** The fields of a trip that the form shows. Those that it does not show stay as the template has them. */
const typedNames: ReadonlySet<string> = new Set([
  "customer_id",
  "customer_phone",
  "customer_email",
  "vehicle_class",
  "participants_count",
  "flight_number",
  "notes",
  "total_amount",
  ...["postal_code", "lat", "lng", "airport"].flatMap((name) => [`pickup_${name}`, `dropoff_${name}`])
])

/** Of the fields that are to be emptied, those that the form shows. */
export const typedEmptied = (fields: Readonly<Record<string, null>>): Readonly<Record<string, null>> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => typedNames.has(name)))

export type Found = Places

/** Addresses by a part of their name, as the booking page finds them. */
export const findPlaces = async (text: string): Promise<ReadonlyArray<Found>> => {
  const slug = member.value?.business?.vendor_slug
  if (text.length < 3 || slug === undefined || slug === null) return []
  return api.bookingPages.places({ vendor_slug: slug, query: text })
}

export const foundPlace = ({ airport, lat, lng, name, postal_code }: Found): Place => ({
  address: name,
  airport: airport ?? null,
  lat: lat ?? null,
  lng: lng ?? null,
  postal_code: postal_code ?? null
})

/** The addresses of a customer's latest trips, the latest first, each once. */
export const earlierPlaces = (trips: ReadonlyArray<Trip>): ReadonlyArray<Place> => {
  const places = trips.flatMap((trip) => [
    {
      address: trip.pickup_address,
      postal_code: trip.pickup_postal_code,
      lat: trip.pickup_lat,
      lng: trip.pickup_lng,
      airport: trip.pickup_airport
    },
    {
      address: trip.dropoff_address,
      postal_code: trip.dropoff_postal_code,
      lat: trip.dropoff_lat,
      lng: trip.dropoff_lng,
      airport: trip.dropoff_airport
    }
  ])
  return [...new Map(places.map((place) => [place.address, place] as const)).values()].slice(0, 6)
}

/** What is known of one end of a ride, by the names of its fields. */
export const end = (name: "pickup" | "dropoff", { airport, lat, lng, postal_code }: Place) =>
  Object.fromEntries(
    Object.entries({
      [`${name}_postal_code`]: postal_code,
      [`${name}_lat`]: lat,
      [`${name}_lng`]: lng,
      [`${name}_airport`]: airport
    }).filter(([, value]) => value !== null)
  )

const isPriced = ({ airport, lat, postal_code }: Place) =>
  airport !== null || lat !== null || postal_code !== null

/** What a tariff prices of the draft; undefined while it is not known where the ride leads. */
export const pricedOf = (
  draft: Draft,
  isReturn = false
): Parameters<typeof api.fares.estimate>[0] | undefined => {
  const [from, to] = isReturn ? [draft.to, draft.from] : [draft.from, draft.to]
  const at = isReturn ? draft.returnAt : draft.at
  if (!isPriced(from) || !isPriced(to) || at === "") return undefined
  const people = numberIn(draft.people, locale)
  return {
    trip_date: at,
    ...end("pickup", from),
    ...end("dropoff", to),
    stops: draft.stops.map(({ lat, lng }) => ({ lat, lng })),
    ...(Number.isNaN(people) ? {} : { participants_count: people })
  }
}

/** The price of the class, or of the cheapest one while no class is chosen. */
export const fareOf = (estimate: FareEstimate, vehicleClass: VehicleClass | "") =>
  vehicleClass === ""
    ? estimate.fares.toSorted((one, other) => one.total_amount - other.total_amount)[0]
    : estimate.fares.find((fare) => fare.vehicle_class === vehicleClass)

const numberOr = (text: string) => {
  const number = numberIn(text, locale)
  return Number.isNaN(number) ? text : number
}

/** The body of the booking. */
export const bodyOf = (draft: Draft, isReturn = false): TripsCreateInput => {
  const [from, to] = isReturn ? [draft.to, draft.from] : [draft.from, draft.to]
  const optional = {
    customer_id: draft.customer?.customer_id,
    customer_name: draft.name,
    customer_phone: draft.phone,
    customer_email: draft.email,
    vehicle_class: draft.vehicleClass,
    participants_count: draft.people === "" ? "" : numberOr(draft.people),
    flight_number: isReturn ? "" : draft.flight,
    notes: draft.notes,
    total_amount: draft.price === "" ? "" : numberOr(draft.price)
  }
  const body = {
    trip_date: isReturn ? draft.returnAt : draft.at,
    pickup_address: from.address,
    dropoff_address: to.address,
    ...end("pickup", from),
    ...end("dropoff", to),
    stops: (isReturn ? draft.stops.toReversed() : draft.stops)
      .filter(({ address }) => address.trim() !== "")
      .map(({ address, lat, lng }) => ({ address, lat, lng })),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined && value !== ""))
  }
  // The server names at each field what is missing or wrong.
  return body as unknown as TripsCreateInput
}
