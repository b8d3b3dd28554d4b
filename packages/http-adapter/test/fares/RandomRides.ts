/** Random rides, with all that their price depends on, and the tariff of a recipe with an airport. */
import { ArrivalKind, Tariff, TripType } from "@livery/domain"
import { Schema } from "effect"
import { decodedTariff, type Recipe } from "../../../domain/test/fares/RandomTariffs.ts"

const int = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A place: unknown, in one of three zones of postal codes, at the airport by its code or by its coordinates, or elsewhere. */
const Place = Schema.Literals(["unknown", "a", "b", "c", "airport", "tarmac", "town"])
type Place = typeof Place.Type

/** A ride that was drawn. */
export const RandomRide = Schema.Struct({
  type: TripType,
  arrival: Schema.NullOr(ArrivalKind),
  pickup: Place,
  dropoff: Place,
  day: int(1, 28),
  hour: int(0, 23),
  metres: Schema.NullOr(int(0, 400_000)),
  minutes: Schema.NullOr(int(1, 4000)),
  stops: Schema.Array(Schema.Struct({ at: Place, minutes: Schema.NullOr(int(0, 60)) })).check(
    Schema.isMaxLength(3)
  ),
  passengers: Schema.NullOr(int(1, 9)),
  luggage: Schema.NullOr(int(0, 5)),
  seats: int(0, 3),
  greeted: Schema.NullOr(Schema.Boolean),
  waited: Schema.NullOr(int(0, 90)),
  tolls: Schema.NullOr(int(0, 60))
})
export type RandomRide = typeof RandomRide.Type

const tarmac = { lat: 47.4582, lng: 8.5555 }
const town = { lat: 47.3769, lng: 8.5417 }

const pointOf = (place: Place) => (place === "tarmac" ? tarmac : place === "town" ? town : {})

const endOf = (end: "pickup" | "dropoff", place: Place) => {
  const fields: Readonly<Record<string, unknown>> =
    place === "airport"
      ? { airport: "ZRH" }
      : place in { a: 0, b: 0, c: 0 }
        ? { postal_code: String(["a", "b", "c"].indexOf(place)) }
        : pointOf(place)
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${end}_${name}`, value]))
}

const digits = (value: number) => String(value).padStart(2, "0")

/** The ride as a request has it: for an estimate, and as the part of a trip that its price depends on. */
export const sentRide = (drawn: RandomRide) => ({
  trip_date: `2027-06-${digits(drawn.day)}T${digits(drawn.hour)}:30:00`,
  trip_type: drawn.type,
  arrival: drawn.arrival,
  ...endOf("pickup", drawn.pickup),
  ...endOf("dropoff", drawn.dropoff),
  stops: drawn.stops.map(({ at, minutes }) => ({ address: "A stop", ...pointOf(at), minutes })),
  distance_m: drawn.metres,
  duration_minutes: drawn.minutes,
  participants_count: drawn.passengers,
  luggage_count: drawn.luggage,
  child_seats: drawn.seats === 0 ? [] : [{ type: "booster", count: drawn.seats }],
  meet_and_greet: drawn.greeted,
  waiting_minutes: drawn.waited,
  tolls_amount: drawn.tolls
})

/** The tariff of a recipe with an airport, a price from there to the first zone, and prices for every distance and every time. */
export const sentTariff = (recipe: Recipe) => {
  const tariff = Schema.encodeSync(Tariff)(decodedTariff(recipe))
  const airport = { id: "zrh", name: "Airport", kind: "airport", airport: "ZRH", ...tarmac, radius_m: 2000 }
  return {
    ...tariff,
    zones: [...(tariff.zones ?? []), airport],
    classes: tariff.classes.map((rates) => ({
      ...rates,
      fixed: [...(rates.fixed ?? []), { from: "zrh", to: "a", amount: 100 }],
      distance: [...(rates.distance ?? []), { base: 30, tiers: [{ amount: 2 }] }],
      hours: [...(rates.hours ?? []), { per_hour: 40 }]
    }))
  }
}
