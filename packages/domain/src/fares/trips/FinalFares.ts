/**
 * The final price of a trip that a tariff priced: waiting, a no-show and a late cancellation are charged when it
 * ends.
 */
import { Effect, Equal, Layer, Option, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { rideInputs } from "../../trips/trip/RideInputs.ts"
import { type Trip, tripRecord } from "../../trips/trip/Trip.ts"
import { TripCharges } from "../../trips/trip/TripCharges.ts"
import { isOpenTrip } from "../../trips/trip/TripStatus.ts"
import type { CompiledTariff } from "../compiled/CompiledTariff.ts"
import { fareRecord } from "../engine/Fare.ts"
import { fareEngineVersion, fareInClass } from "../engine/FareEngine.ts"
import { FareEstimates } from "../estimates/FareEstimates.ts"
import { finalInputs, tripFacts } from "./FinalInputs.ts"
import { type ComputedFare, hasPriceOf, totalOfFare, type TripFare } from "./TripFare.ts"
import { TripFareRepository } from "./TripFareRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** A cancellation removes the drivers from the trip. Their milestones before it still count. */
const factsOf = (before: Trip, after: Trip) => {
  if (after.status !== "cancelled") return tripFacts(after)
  const { former_drivers, reopened_after } = before
  const drivers =
    before.status === "cancelled"
      ? former_drivers.filter(({ assignment_id }) => assignment_id > (reopened_after ?? 0))
      : before.drivers
  return tripFacts({ ...after, drivers })
}

/** Whether the trip has the price that the tariff gave it, which the tariff then may replace. */
const isPricedByTariff = ({ currency, final, quoted }: TripFare, after: Trip) =>
  final === null
    ? after.currency === currency &&
      after.total_minor === totalOfFare(quoted, currency) &&
      (after.status !== "cancelled" || after.cancellation_fee_minor === null)
    : hasPriceOf(after, final, currency)

/** Whether a change alters an input of the price. Two trips with equal inputs have the same fare. */
const hasOtherInputs = (acting: ActingBusiness, before: Trip, after: Trip) => {
  if (before.vehicle_class !== after.vehicle_class) return true
  const [was, is] = [tripRecord(before, acting.timezone), tripRecord(after, acting.timezone)]
  return rideInputs.some((name) => !Equal.equals(was[name], is[name]))
}

const finalFare = (
  { currency, quoted }: TripFare,
  prices: CompiledTariff,
  before: Trip,
  after: Trip,
  timezone: string
): ComputedFare | null => {
  const inputs = finalInputs(quoted.inputs, factsOf(before, after), timezone)
  return Result.match(fareInClass(prices, quoted.fare.vehicle_class, inputs), {
    onSuccess: (fare) => ({
      engine_version: fareEngineVersion,
      inputs,
      fare: fareRecord(fare, currency),
      // A cancelled trip is charged the fee only.
      ...(quoted.extra_amount === undefined || after.status === "cancelled"
        ? {}
        : { extra_amount: quoted.extra_amount })
    }),
    // The trip keeps its price if the final fare is beyond the largest amount, or if an hourly trip lasts longer than every
    // package of a tariff that has no price for further hours.
    onFailure: () => null
  })
}

/** The ended trip with the amount of its final fare. A cancellation fee of zero is stored as null. */
const withFinalPrice = (after: Trip, fare: ComputedFare): Trip => {
  const total = totalOfFare(fare, after.currency)
  if (after.status !== "cancelled") return { ...after, total_minor: total }
  return { ...after, cancellation_fee_minor: total === 0 ? null : total }
}

/** The trip `after` with the quoted price, if `before` was charged its final fare. */
const withQuotedPrice = ({ currency, final, quoted }: TripFare, before: Trip, after: Trip): Trip =>
  final !== null && before.status === "completed" && hasPriceOf(before, final, currency)
    ? { ...after, total_minor: totalOfFare(quoted, currency) }
    : after

/** The tolls and the waiting that a fare was computed with; null for none. */
const quotedFacts = ({ inputs: { tolls_minor, waiting_minutes } }: ComputedFare) => ({
  tolls_minor: tolls_minor === 0 ? null : tolls_minor,
  waiting_minutes: waiting_minutes === 0 ? null : waiting_minutes
})

/**
 * Implements `TripCharges` by tariffs. A completed trip gets the total of its final fare, a cancelled one the fee, also if its
 * tolls or its waiting are entered after the end.
 * A trip stays unchanged if no tariff priced it, if its price or fee was set by hand, or if it is on an invoice. A
 * trip that is reopened gets its quoted price again, and so does a copy of a completed one.
 */
export const layer = Layer.effect(
  TripCharges,
  Effect.gen(function* () {
    const fares = yield* TripFareRepository
    const estimates = yield* FareEstimates

    const end = Effect.fnUntraced(function* (
      { timezone }: ActingBusiness,
      fare: TripFare,
      before: Trip,
      after: Trip
    ) {
      if (!isPricedByTariff(fare, after) || after.invoice_id !== null) return after
      // The versions of a tariff are never deleted.
      const prices = yield* Effect.orDie(
        estimates.tariff(fare.business_id, {
          tariff_id: fare.tariff_id,
          version: fare.tariff_version
        })
      )
      const final = finalFare(fare, prices, before, after, timezone)
      if (final === null) return after
      yield* fares.store({ ...fare, final })
      return withFinalPrice(after, final)
    })

    const reopen = Effect.fnUntraced(function* (fare: TripFare, before: Trip, after: Trip) {
      if (fare.final === null) return after
      yield* fares.store({ ...fare, final: null })
      return withQuotedPrice(fare, before, after)
    })

    const applyFinalPrice = traced("TripCharges.applyFinalPrice")(function* (
      acting: ActingBusiness,
      before: Trip,
      after: Trip
    ) {
      const fare = Option.getOrUndefined(yield* fares.find(acting.business_id, before.trip_id))
      if (fare === undefined) return after
      return yield* isOpenTrip(after.status) ? reopen(fare, before, after) : end(acting, fare, before, after)
    })

    const withoutFinalPrice = traced("TripCharges.withoutFinalPrice")(function* (trip: Trip) {
      if (isOpenTrip(trip.status)) return trip
      const fare = Option.getOrUndefined(yield* fares.find(trip.business_id, trip.trip_id))
      if (fare === undefined) return trip
      const quoted = withQuotedPrice(fare, trip, trip)
      // The tolls and the waiting of the ride that was driven are not inputs of the quoted price.
      return quoted === trip ? trip : { ...quoted, ...quotedFacts(fare.quoted) }
    })

    const isPriceOutdated = traced("TripCharges.isPriceOutdated")(function* (
      acting: ActingBusiness,
      before: Trip,
      after: Trip
    ) {
      if (!isOpenTrip(after.status) || !hasOtherInputs(acting, before, after)) return false
      const fare = Option.getOrUndefined(yield* fares.find(acting.business_id, before.trip_id))
      return fare !== undefined && hasPriceOf(after, fare.quoted, fare.currency)
    })

    return { applyFinalPrice, withoutFinalPrice, isPriceOutdated }
  })
)
