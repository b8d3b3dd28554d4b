/** Booking the trips of an accepted quote. */
import { Effect, Option, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { CustomerRepository } from "../customers/CustomerRepository.ts"
import { TripFares } from "../fares/TripFares.ts"
import { type ConfirmationRequired, type Conflict, invalidField, InvalidInput } from "../kernel/Errors.ts"
import { TariffId, TripId } from "../kernel/Ids.ts"
import { Trips } from "../trips/Trips.ts"
import { TripInput } from "../trips/TripInput.ts"
import { type Quote, quoteRecord } from "./Quote.ts"

/**
 * The trip was checked when the quote was stored. Decoding it again gives fields that were added to trips since
 * then their defaults.
 */
const tripInputOf = (trip: Readonly<Record<string, unknown>>) =>
  Effect.orDie(Schema.decodeUnknownEffect(TripInput)(trip))

/**
 * Makes the function that books a trip for each item of a quote that has one, in the quote's currency and for the
 * item's amount, and returns the ids of the trips. The trip of an item that the fare engine priced keeps the fare,
 * which charges it when it ends. A trip without a customer of its own gets the quote's customer, unless that
 * customer was deleted. `InvalidInput` if no item has a trip. If a trip cannot be booked, `InvalidInput` names its
 * fields by their paths in the quote; `ConfirmationRequired` is as in booking a trip.
 */
export const makeBookTrips = Effect.gen(function* () {
  const trips = yield* Trips
  const fares = yield* TripFares
  const customers = yield* CustomerRepository

  return Effect.fnUntraced(function* (
    acting: ActingBusiness,
    quote: Quote,
    force: boolean
  ): Effect.fn.Return<ReadonlyArray<TripId>, InvalidInput | ConfirmationRequired | Conflict> {
    const customer =
      quote.customer_id === null
        ? Option.none()
        : yield* customers.find(acting.business_id, quote.customer_id)
    const tripIds: Array<TripId> = []
    for (const [index, { amount, fare, trip }] of quoteRecord(quote).items.entries()) {
      if (trip === null) continue
      const input = yield* tripInputOf(trip)
      const booked = yield* trips
        .create(acting, {
          ...input,
          customer_id: input.customer_id ?? Option.getOrNull(customer)?.customer_id ?? null,
          vehicle_class: input.vehicle_class ?? fare?.fare.vehicle_class ?? null,
          total_amount: amount,
          currency: quote.currency,
          force
        })
        .pipe(
          Effect.catchTag("InvalidInput", ({ issues }) =>
            Effect.fail(
              new InvalidInput({
                issues: issues.map(({ field, issue }) => ({ field: `items.${index}.trip.${field}`, issue }))
              })
            )
          )
        )
      const tripId = TripId.make(booked.trip_id)
      if (fare !== null) {
        const { tariff_id, tariff_version, ...quoted } = fare
        yield* fares.attach({
          business_id: acting.business_id,
          trip_id: tripId,
          tariff_id: TariffId.make(tariff_id),
          tariff_version,
          currency: quote.currency,
          quoted
        })
      }
      tripIds.push(tripId)
    }
    if (tripIds.length === 0) return yield* invalidField("items", "required")
    return tripIds
  })
})
