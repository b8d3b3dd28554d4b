/**
 * The base lines of a fare. Trips of type `hourly` or `event` are priced by time. All others are priced by route: the
 * fixed price between two zones, else by distance. A round trip is priced as two one-way trips.
 */
import type { TripType } from "../../trips/trip/TripStatus.ts"
import type { CompiledClass, CompiledFixed } from "../compiled/CompiledRates.ts"
import { distanceLines } from "./DistanceLines.ts"
import type { NoFareReason } from "./Fare.ts"
import type { BasePrice, Ride, RouteZones } from "./Ride.ts"
import type { RuleContext } from "../compiled/TariffReader.ts"
import { timedLines } from "./TimedLines.ts"

/** Whether a trip is priced by its duration. */
export const isTimed = (tripType: TripType): boolean => tripType === "hourly" || tripType === "event"

const rankOf = (from: number, to: number, { dropoff, pickup }: RouteZones) => {
  const [start, end] = [pickup.get(from), dropoff.get(to)]
  return start === undefined || end === undefined ? Number.POSITIVE_INFINITY : start + end
}

/** The rank of a price's zone pair: lower is more specific; infinity if the trip is not between its zones. */
const pairRank = (price: CompiledFixed, route: RouteZones) => {
  const outbound = rankOf(price.from, price.to, route)
  return price.oneWay ? outbound : Math.min(outbound, rankOf(price.to, price.from, route))
}

/** The fixed price with the most specific pair of zones; among equally specific ones, the first. */
const fixedPrice = (prices: ReadonlyArray<CompiledFixed>, route: RouteZones, context: RuleContext) => {
  let best: CompiledFixed | undefined
  let bestRank = Number.POSITIVE_INFINITY
  for (const price of prices) {
    const rank = pairRank(price, route)
    if (rank < bestRank && price.applies(context)) {
      best = price
      bestRank = rank
    }
  }
  return best
}

/** The base lines of one direction by its route. */
const byRoute = (prices: CompiledClass, ride: Ride, route: RouteZones): BasePrice | NoFareReason => {
  const fixed = fixedPrice(prices.fixed, route, ride.context)
  if (fixed !== undefined) {
    const { from, id, includes, minor, name, to } = fixed
    const inputs = { from: ride.zones.idOf(from), to: ride.zones.idOf(to) }
    return { lines: [{ step: "base", rule: id, name, inputs, of_minor: null, minor }], includes }
  }
  return distanceLines(prices.distance, ride)
}

/** Both directions of a round trip. A step is included if both directions include it. */
const roundTripPrice = (there: BasePrice, back: BasePrice): BasePrice => ({
  lines: [...there.lines, ...back.lines],
  includes: new Set([...there.includes].filter((step) => back.includes.has(step)))
})

/** The base lines of a class, or the reason why it has none. */
export const basePrice = (prices: CompiledClass, ride: Ride): BasePrice | NoFareReason => {
  const { trip_type } = ride.inputs
  if (isTimed(trip_type)) return timedLines(prices, ride)
  const there = byRoute(prices, ride, ride.route)
  if (trip_type !== "round_trip" || typeof there === "string") return there
  const back = byRoute(prices, ride, { pickup: ride.route.dropoff, dropoff: ride.route.pickup })
  return typeof back === "string" ? back : roundTripPrice(there, back)
}
