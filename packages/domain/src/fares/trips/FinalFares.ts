/**
 * The final price of a trip that a tariff priced: waiting, a no-show and a late cancellation are charged when it
 * ends.
 */
import { Effect, Layer, Option, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { chargeOf, minorPriceOf, type Trip } from "../../trips/trip/Trip.ts"
import { type PricePart, TripCharges } from "../../trips/trip/TripCharges.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
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
const factsOf = (before: Trip, after: Trip, tolls: number) =>
  tripFacts(after.status === "cancelled" ? { ...after, drivers: before.drivers } : after, tolls)

const finalFare = (
  { currency, quoted }: TripFare,
  prices: CompiledTariff,
  before: Trip,
  after: Trip,
  timezone: string
): ComputedFare | null => {
  const { inputs: quotedInputs } = quoted
  const inputs = finalInputs(quotedInputs, factsOf(before, after, quotedInputs.tolls_minor), timezone)
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

/**
 * Implements `TripCharges` by tariffs. A completed trip gets the total of its final fare, a cancelled one the fee.
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
      const isPriced =
        after.currency === fare.currency && after.total_minor === totalOfFare(fare.quoted, fare.currency)
      const hasFee = after.status === "cancelled" && after.cancellation_fee_minor !== null
      if (!isPriced || hasFee || after.invoice_id !== null) return after
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
      return fare === undefined ? trip : withQuotedPrice(fare, trip, trip)
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

    return { applyFinalPrice, withoutFinalPrice, taxedParts }
  })
)
