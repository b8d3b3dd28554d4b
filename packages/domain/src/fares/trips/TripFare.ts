/** The fare of a trip: the one that was quoted, and after the trip has ended the final one. */
import { Option, Schema } from "effect"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { described, orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, TariffId, TripId } from "../../kernel/Ids.ts"
import { minorPriceOf, type Trip } from "../../trips/trip/Trip.ts"
import { FareRecord } from "../engine/Fare.ts"
import { FareInputs } from "../engine/FareInputs.ts"

/**
 * A fare with all that is needed to compute it again by the same version of its tariff. Amounts are in major units.
 * `extra_amount` is the amount of the quote's items without a trip, which is part of the trip's price beside the fare.
 */
export const ComputedFare = Schema.Struct({
  engine_version: Schema.Int,
  inputs: FareInputs,
  fare: FareRecord,
  extra_amount: Schema.optionalKey(Schema.Finite)
})
export type ComputedFare = typeof ComputedFare.Type

/** The fare of a trip as stored. `final` is null until the trip has ended and was charged by its tariff. */
export const TripFare = Schema.Struct({
  business_id: Value.id(BusinessId).stored,
  trip_id: Value.id(TripId).stored,
  tariff_id: Value.id(TariffId).stored,
  tariff_version: Schema.Int,
  currency: Value.currency.stored,
  quoted: ComputedFare,
  final: Schema.NullOr(ComputedFare)
})
export type TripFare = typeof TripFare.Type

const tripFareRecordStruct = Schema.Struct({
  trip_id: Value.id(TripId).wire,
  tariff_id: Value.id(TariffId).wire,
  tariff_version: Schema.Int,
  currency: Value.currency.wire,
  overridden: Schema.Boolean,
  quoted: ComputedFare,
  final: Schema.NullOr(ComputedFare)
})
type TripFareRecordStruct = typeof tripFareRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripFareRecordSchema extends TripFareRecordStruct {}

/**
 * The fare of a trip in a response. `quoted` is the fare for which it was booked, `final` the one that it was
 * charged when it ended. `overridden` is true if the trip has another price by now, because it was set by hand. The
 * tariff does not change such a price.
 */
export const TripFareRecord: TripFareRecordSchema = tripFareRecordStruct
export type TripFareRecord = typeof TripFareRecord.Type

/** The body that prices a trip by a tariff. The class is the one that was ordered with the trip unless it is sent. */
export const TripPricing = Schema.Struct({
  vehicle_class: orNull(
    oneOf(VehicleClass).pipe(
      described("Required unless the trip has a `vehicle_class`, which is the default.")
    )
  ),
  tariff_id: orNull(TariffId)
})
export type TripPricing = typeof TripPricing.Type

/** The price of a fare with its extra amount, in minor units. Both are whole numbers of them, so the conversion is exact. */
export const totalOfFare = (
  { extra_amount = 0, fare }: ComputedFare,
  currency: TripFare["currency"]
): number | null => {
  const minors = [fare.total_amount, extra_amount].map((amount) => minorPriceOf(amount, currency))
  return Option.getOrNull(
    Option.map(Option.all(minors), (all) => all.reduce<number>((sum, minor) => sum + (minor ?? 0), 0))
  )
}

/** Whether the trip has the price of that fare: its total, or for a cancelled trip the fee. */
export const hasPriceOf = (trip: Trip, fare: ComputedFare, currency: TripFare["currency"]): boolean => {
  const total = totalOfFare(fare, currency)
  const price = trip.status === "cancelled" ? (trip.cancellation_fee_minor ?? 0) : trip.total_minor
  return trip.currency === currency && price === total
}

/** The record of the fare of a trip. */
export const tripFareRecord = (
  { business_id: _business, ...fare }: TripFare,
  trip: Trip
): TripFareRecord => ({
  ...fare,
  overridden:
    fare.final === null
      ? trip.currency !== fare.currency || trip.total_minor !== totalOfFare(fare.quoted, fare.currency)
      : !hasPriceOf(trip, fare.final, fare.currency)
})
