/** The fares of trips: pricing a trip by a tariff, and its charges (docs/api/fares.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { Conflict, invalidField, InvalidInput, orNotFound } from "../../kernel/Errors.ts"
import { earlierResult, oncePerRequest } from "../../kernel/idempotency/CurrentRequestParts.ts"
import { TariffId, type TripId } from "../../kernel/Ids.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { type Trip, tripRecord } from "../../trips/trip/Trip.ts"
import { TripRepository } from "../../trips/trip/TripRepository.ts"
import { isOpenTrip } from "../../trips/trip/TripStatus.ts"
import { TripUnitOfWork } from "../../trips/changes/TripUnitOfWork.ts"
import { fareOfClass, requireCurrency } from "../engine/ClassFare.ts"
import { FareEstimates } from "../estimates/FareEstimates.ts"
import { noFareText } from "./NoFareText.ts"
import {
  totalOfFare,
  type TripFare,
  type TripFareRecord,
  tripFareRecord,
  type TripPricing
} from "./TripFare.ts"
import { TripFareRepository } from "./TripFareRepository.ts"
import { fareRequestOfTrip } from "./TripFareRequest.ts"
import { traced } from "../../kernel/TracedFunction.ts"

const requirePriceable = ({ invoice_id, status }: Trip) => {
  if (!isOpenTrip(status)) return Effect.fail(new Conflict({ reason: "The trip has ended" }))
  return invoice_id === null
    ? Effect.void
    : Effect.fail(new Conflict({ reason: "The trip is on an invoice; detach it from the invoice first" }))
}

export class TripFares extends Context.Service<TripFares>()("@livery/domain/TripFares", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const trips = yield* TripRepository
    const fares = yield* TripFareRepository
    const estimates = yield* FareEstimates
    const unitOfWork = yield* TripUnitOfWork

    const find = ({ business_id }: ActingBusiness, tripId: TripId) =>
      Effect.flatMap(trips.find(business_id, tripId), orNotFound("trip"))

    return {
      /** The fare of a trip. `NotFound` if the trip is absent, another business's, or was priced by no tariff. */
      get: traced("TripFares.get")(function* (acting: ActingBusiness, tripId: TripId) {
        const trip = yield* find(acting, tripId)
        const fare = yield* orNotFound("fare")(yield* fares.find(acting.business_id, tripId))
        return tripFareRecord(fare, trip)
      }),

      /**
       * Prices an open trip by a tariff, which charges it when it ends. `InvalidInput` without a class, for a class
       * that has no fare for the trip, and for a tariff that is absent or in another currency. `Conflict` if the trip
       * has ended, is on an invoice, or was changed meanwhile. `NotFound` if it is absent or another business's.
       */
      price: traced("TripFares.price")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        { tariff_id, vehicle_class }: TripPricing
      ) {
        const earlier = Option.getOrUndefined(yield* earlierResult<TripFareRecord>("fare"))
        if (earlier !== undefined) return earlier
        const seen = yield* find(acting, tripId)
        yield* requirePriceable(seen)
        const orderedClass = vehicle_class ?? seen.vehicle_class
        if (orderedClass === null) return yield* invalidField("vehicle_class", "required")
        // The estimate may call a map server, so it comes before the transaction.
        const request = yield* fareRequestOfTrip(tripRecord(seen, acting.timezone))
        const estimate = yield* estimates.estimate(acting, {
          tariff_id,
          customer_id: seen.customer_id,
          ...request
        })
        const alternative = "set total_amount"
        yield* requireCurrency(estimate, { name: "trip", currency: seen.currency, alternative })
        const fare = yield* Effect.mapError(
          Effect.fromResult(fareOfClass(estimate, orderedClass)),
          (cause) => {
            const classes = estimate.fares.map(({ vehicle_class }) => vehicle_class)
            return new InvalidInput({
              issues: [{ field: "vehicle_class", issue: "invalid" }],
              advice: `${noFareText(orderedClass, classes, [cause])}, or ${alternative}`
            })
          }
        )
        const { engine_version, inputs, tariff_version } = estimate
        const stored = atomically(transaction, function* () {
          const before = yield* unitOfWork.lock(acting, tripId)
          yield* requirePriceable(before)
          if (!DateTime.Equivalence(before.updated_at, seen.updated_at))
            return yield* new Conflict({ reason: "The trip was changed meanwhile" })
          const priced: TripFare = {
            business_id: acting.business_id,
            trip_id: tripId,
            tariff_id: TariffId.make(estimate.tariff_id),
            tariff_version,
            currency: before.currency,
            quoted: { engine_version, inputs, fare },
            final: null
          }
          yield* fares.store(priced)
          const wanted = {
            ...before,
            vehicle_class: orderedClass,
            total_minor: totalOfFare(priced.quoted, before.currency)
          }
          return tripFareRecord(priced, yield* unitOfWork.commit(acting, before, wanted, "operator"))
        })
        return yield* oncePerRequest("fare", stored)
      }),

      /** Stores the fare for which a trip was just booked, in the transaction that books it. */
      attach: (fare: Omit<TripFare, "final">) => fares.store({ ...fare, final: null })
    }
  })
}) {
  static readonly layer = Layer.effect(TripFares, TripFares.make).pipe(Layer.provide(TripUnitOfWork.layer))
}
