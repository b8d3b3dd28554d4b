/**
 * The final price of a trip that a tariff priced: waiting, a no-show and a late cancellation are charged when it
 * ends.
 */
import { Effect, Equal, Layer, Option, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { chargeOf, minorPriceOf, type Trip, tripRecord } from "../../trips/trip/Trip.ts"
import { type PricePart, TripCharges } from "../../trips/trip/TripCharges.ts"
import type { BusinessId, TripId } from "../../kernel/Ids.ts"
import { rideInputs } from "../../trips/trip/RideInputs.ts"
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

/** The taxed and the untaxed part of a trip's price; undefined if the tariff has no taxes. */
const partsOf = (
  { currency, final, quoted }: TripFare,
  { modifiers: { tax } }: CompiledTariff,
  trip: Trip
): ReadonlyArray<PricePart> | undefined => {
  const taxes = (tax?.rates ?? []).flatMap(({ name, percent }) =>
    percent === 0 ? [] : [{ name, rate: percent }]
  )
  if (tax === null || taxes.length === 0 || trip.currency !== currency) return undefined
  const price = chargeOf(trip)
  const fare = final ?? quoted
  const exempt = hasPriceOf(trip, fare, currency)
    ? fare.fare.lines.filter(({ step }) => tax.exempt.has(step))
    : []
  const minor = exempt.reduce(
    (sum, { amount }) => sum + (Option.getOrNull(minorPriceOf(amount, currency)) ?? 0),
    0
  )
  const labels = exempt.flatMap(({ name, step }) =>
    step === "rounding" ? [] : [name ?? step.replaceAll("_", " ")]
  )
  // A price that is only rounded has no untaxed part.
  if (labels.length === 0 || minor <= 0) return [{ minor: price, taxes, label: null }]
  const untaxed = { minor, taxes: [], label: [...new Set(labels)].join(", ") }
  return price === minor ? [untaxed] : [{ minor: price - minor, taxes, label: null }, untaxed]
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
 * trip that is reopened gets its quoted price again, and so does a copy of a completed one. The price of a trip contains the taxes
 * of its tariff, also those that the tariff adds.
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

    const taxedParts = traced("TripCharges.taxedParts")(function* (
      businessId: BusinessId,
      trips: ReadonlyArray<Trip>
    ) {
      const priced = yield* fares.ofTrips(
        businessId,
        trips.map(({ trip_id }) => trip_id)
      )
      const byTrip = new Map(trips.map((trip) => [trip.trip_id, trip]))
      const parts = yield* Effect.forEach(priced, (fare) =>
        Effect.map(
          // The versions of a tariff are never deleted.
          Effect.orDie(
            estimates.tariff(businessId, { tariff_id: fare.tariff_id, version: fare.tariff_version })
          ),
          (prices) => {
            const trip = byTrip.get(fare.trip_id)
            const found = trip && partsOf(fare, prices, trip)
            return found === undefined ? [] : [[fare.trip_id, found] as const]
          }
        )
      )
      return new Map(parts.flat())
    })

    const outdatedPrices = traced("TripCharges.outdatedPrices")(function* (
      acting: ActingBusiness,
      changes: ReadonlyArray<{ readonly before: Trip; readonly after: Trip }>
    ) {
      const altered = new Map(
        changes.flatMap(({ after, before }) =>
          isOpenTrip(after.status) && hasOtherInputs(acting, before, after) ? [[after.trip_id, after]] : []
        )
      )
      if (altered.size === 0) return new Set<TripId>()
      const priced = yield* fares.ofTrips(acting.business_id, [...altered.keys()])
      return new Set(
        priced.flatMap(({ currency, quoted, trip_id }) => {
          const trip = altered.get(trip_id)
          return trip !== undefined && hasPriceOf(trip, quoted, currency) ? [trip_id] : []
        })
      )
    })

    return { applyFinalPrice, withoutFinalPrice, taxedParts, outdatedPrices }
  })
)
