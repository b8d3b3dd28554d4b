/**
 * The fare engine: computes a fare for every class from a compiled tariff and the inputs of a trip. It is pure: the
 * same tariff and inputs give the same lines at any time and on any machine.
 */
import { Result } from "effect"
import type { VehicleClass } from "../../kernel/VehicleClass.ts"
import * as Money from "../../kernel/money/Money.ts"
import { basePrice } from "./BasePrice.ts"
import { makeBill } from "./Bill.ts"
import type { CompiledClass } from "../compiled/CompiledRates.ts"
import type { CompiledTariff } from "../compiled/CompiledTariff.ts"
import { complete } from "./Completion.ts"
import type { Fare, FareEstimate, NoFare, NoFareReason } from "./Fare.ts"
import type { FareInputs } from "./FareInputs.ts"
import type { Ride } from "./Ride.ts"
import { addSurcharges } from "./Surcharges.ts"
import { localTime } from "../rules/When.ts"

/**
 * The version of the engine's rules. It rises with every change after which some tariff and inputs give other lines. A
 * fare of another version can have other lines when it is computed again.
 */
export const fareEngineVersion = 2

type SharedRide = Omit<Ride, "context"> & { readonly at: ReturnType<typeof localTime> }

const ranks = (zones: ReadonlyArray<number>) => new Map(zones.map((zone, rank) => [zone, rank] as const))

/** The part of the computation that is the same for all classes: the route and the time of the trip. */
const sharedRide = (tariff: CompiledTariff, inputs: FareInputs): SharedRide => ({
  inputs,
  zones: tariff.zones,
  unit: tariff.unit,
  route: {
    pickup: ranks(tariff.zones.find(inputs.pickup)),
    dropoff: ranks(tariff.zones.find(inputs.dropoff))
  },
  at: localTime(inputs.pickup_local)
})

const fareOf = (tariff: CompiledTariff, prices: CompiledClass, shared: SharedRide): Fare | NoFareReason => {
  const { inputs } = shared
  if (inputs.passengers > prices.maxPassengers) return "too_many_passengers"
  if (inputs.luggage > prices.maxLuggage) return "too_much_luggage"
  const vehicle_class = prices.vehicleClass
  const ride = {
    ...shared,
    context: { vehicleClass: vehicle_class, tripType: inputs.trip_type, at: shared.at }
  }
  if (inputs.outcome === "waived") return { vehicle_class, lines: [], total_minor: 0, tax_minor: 0 }
  const base = basePrice(prices, ride)
  if (typeof base === "string") return base
  const ridden = makeBill(base.lines, base.includes)
  addSurcharges(ridden, tariff.modifiers, ride)
  const completed = complete(ride, tariff.modifiers, ridden)
  const total_minor = completed.bill.sum()
  if (total_minor > Money.maximumMinor) return "amount_too_large"
  return { vehicle_class, lines: completed.bill.lines, total_minor, tax_minor: completed.tax }
}

/** The fare of a trip in one class of a tariff, or the reason why it has none. */
export const fareInClass = (
  tariff: CompiledTariff,
  vehicleClass: VehicleClass,
  inputs: FareInputs
): Result.Result<Fare, NoFareReason> => {
  const prices = tariff.classes.find((each) => each.vehicleClass === vehicleClass)
  const fare = prices === undefined ? "no_price" : fareOf(tariff, prices, sharedRide(tariff, inputs))
  return typeof fare === "string" ? Result.fail(fare) : Result.succeed(fare)
}

/** The fares of a trip in all classes of a tariff, in the order of the tariff. */
export const estimateFares = (tariff: CompiledTariff, inputs: FareInputs): FareEstimate => {
  const shared = sharedRide(tariff, inputs)
  const fares: Array<Fare> = []
  const unavailable: Array<NoFare> = []
  for (const prices of tariff.classes) {
    const fare = fareOf(tariff, prices, shared)
    if (typeof fare === "string") unavailable.push({ vehicle_class: prices.vehicleClass, reason: fare })
    else fares.push(fare)
  }
  return {
    engine_version: fareEngineVersion,
    tariff_version: tariff.version,
    currency: tariff.currency,
    inputs,
    fares,
    unavailable
  }
}
