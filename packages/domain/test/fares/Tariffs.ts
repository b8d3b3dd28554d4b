/** Tariffs and trips for the tests of fares. */
import {
  type CompiledTariff,
  compileTariff,
  estimateFares,
  type Fare,
  type FareInputs,
  type Place,
  Tariff
} from "@livery/domain"
import { Result } from "effect"
import { decoded } from "../support/Decoding.ts"

/** A tariff in euros, decoded. */
export const tariff = (sent: object): Tariff =>
  decoded(Tariff, { name: "T", currency: "EUR", classes: [{ vehicle_class: "sedan" }], ...sent })

/** A tariff, compiled; throws if it is refused. */
export const compiled = (sent: object): CompiledTariff => Result.getOrThrow(compileTariff(tariff(sent), 1))

/** The wrong fields that compiling a tariff finds, each as `field issue`. */
export const refused = (sent: object): ReadonlyArray<string> =>
  Result.match(compileTariff(tariff(sent), 1), {
    onSuccess: () => [],
    onFailure: ({ issues }) => issues.map(({ field, issue }) => `${field} ${issue}`)
  })

/** A tariff of one class, with a base price of 100 for any distance unless other rates are given. */
export const sedan = (modifiers: object, rates: object = { distance: [{ base: 100 }] }, more: object = {}) =>
  compiled({ classes: [{ vehicle_class: "sedan", ...rates }], modifiers, ...more })

/** An unknown place. */
export const nowhere: Place = { postal_code: null, lat: null, lng: null, airport: null }

/** A place with some of its fields. */
export const place = (known: Partial<Place>): Place => ({ ...nowhere, ...known })

/** A transfer of 10 km and 20 minutes for one passenger, on a Wednesday at noon. */
export const trip = (known: Partial<FareInputs> = {}): FareInputs => ({
  pickup_local: "2026-06-17 12:00:00",
  trip_type: "transfer",
  arrival: "address",
  pickup: nowhere,
  dropoff: nowhere,
  stop_minutes: [],
  distance_m: 10_000,
  duration_minutes: 20,
  route_source: null,
  passengers: 1,
  luggage: 0,
  child_seats: [],
  meet_and_greet: false,
  waiting_minutes: 0,
  tolls_minor: 0,
  outcome: "ride",
  notice: null,
  ...known
})

/** The fare of the first class; throws if there is none. */
export const fareOf = (of: CompiledTariff, inputs: Partial<FareInputs> = {}): Fare => {
  const { fares, unavailable } = estimateFares(of, trip(inputs))
  const [fare] = fares
  if (fare === undefined) throw new Error(unavailable.map(({ reason }) => reason).join())
  return fare
}

/** The total of the first class, in minor units. */
export const totalOf = (of: CompiledTariff, inputs: Partial<FareInputs> = {}): number =>
  fareOf(of, inputs).total_minor

/** The lines of the first class, each as `step rule minor`. */
export const linesOf = (of: CompiledTariff, inputs: Partial<FareInputs> = {}): ReadonlyArray<string> =>
  fareOf(of, inputs).lines.map(({ minor, rule, step }) => `${step} ${rule} ${minor}`)

/** The reason why the first class has no fare. */
export const reasonOf = (of: CompiledTariff, inputs: Partial<FareInputs> = {}): string | undefined =>
  estimateFares(of, trip(inputs)).unavailable[0]?.reason
