/** The base prices of a vehicle class: between zones, by distance, by hours and by days. */
import { Schema } from "effect"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { between } from "../../kernel/fields/FieldIssue.ts"
import { orNull, yesOrNo } from "../../kernel/fields/Optional.ts"
import { TripType } from "../../trips/trip/TripStatus.ts"
import { FareStep } from "./FareStep.ts"
import {
  Amount,
  PositiveMinutes,
  ChargedMinutes,
  Count,
  directionOrEither,
  listOf,
  Minutes,
  RuleId,
  ruleName,
  UnitDistance,
  orDefault
} from "./TariffFields.ts"
import { When } from "./When.ts"

/**
 * The fields that all base prices share: when the price applies, the types of trip (default: all), and the included
 * steps.
 */
const basePrice = {
  ...ruleName,
  when: When,
  trip_types: listOf(oneOf(TripType), 7),
  /**
   * The steps that the price covers, so they are not charged again: an all-inclusive price includes `night`, `airport`,
   * …
   */
  includes: listOf(oneOf(FareStep), 17)
}

/** A price between two zones, in both directions or one. Both zones may be the same. */
export const FixedPrice = Schema.Struct({
  ...basePrice,
  from: RuleId,
  to: RuleId,
  direction: directionOrEither,
  amount: Amount
})
export type FixedPrice = typeof FixedPrice.Type

/**
 * An amount for each `per` of distance, up to the distance `up_to`. The last tier may have no `up_to`; with one, the
 * price does not apply to longer distances.
 */
const DistanceTier = Schema.Struct({
  up_to: orNull(UnitDistance),
  amount: Amount,
  per: orDefault(UnitDistance, 1)
})
type DistanceTier = typeof DistanceTier.Type

/**
 * `graduated`: each part of the distance is charged at the rate of its own tier. `whole`: the entire distance is
 * charged at the rate of the tier in which it ends, which can make a longer ride cheaper; `tariffWarnings` lists such
 * prices.
 */
const TierMode = Schema.Literals(["graduated", "whole"])

/**
 * A price by distance: `base`, the tiers, and an amount per minute. `started`: a started `per` is charged as a whole
 * one.
 */
export const DistancePrice = Schema.Struct({
  ...basePrice,
  base: orDefault(Amount, 0),
  tiers: listOf(DistanceTier, 20),
  mode: orDefault(oneOf(TierMode), "graduated"),
  started: yesOrNo(false),
  per_minute: orDefault(Amount, 0)
})
export type DistancePrice = typeof DistancePrice.Type

/** A number of minutes at one price, with an included distance (null: any distance). */
const HourPackage = Schema.Struct({
  minutes: PositiveMinutes,
  amount: Amount,
  distance: orNull(UnitDistance)
})
type HourPackage = typeof HourPackage.Type

/**
 * A price by hours: `per_hour` for each started `increment_minutes`, at least `minimum_minutes`. Packages replace the
 * minimum: the cheapest combination of a package and further time at `per_hour` applies. Without `per_hour`, no time
 * beyond the longest package can be booked. Distance beyond the included one costs `extra_distance` per unit; each hour
 * that is charged includes `distance_per_hour`.
 */
export const HourPrice = Schema.Struct({
  ...basePrice,
  per_hour: orNull(Amount),
  increment_minutes: orDefault(ChargedMinutes, 60),
  minimum_minutes: orDefault(Minutes, 0),
  packages: listOf(HourPackage, 50),
  distance_per_hour: orNull(UnitDistance),
  extra_distance: orDefault(Amount, 0)
})
export type HourPrice = typeof HourPrice.Type

/**
 * A price by days of up to `hours`. Each day includes `distance`. Each started hour beyond `hours` costs `extra_hour`,
 * which may be 0; further distance costs `extra_distance` per unit.
 */
export const DayPrice = Schema.Struct({
  ...basePrice,
  amount: Amount,
  hours: orDefault(Schema.Int.check(between(1, 24)), 24),
  distance: orNull(UnitDistance),
  extra_hour: orDefault(Amount, 0),
  extra_distance: orDefault(Amount, 0)
})
export type DayPrice = typeof DayPrice.Type

/** The most fixed prices of a class. */
export const maxFixedPrices = 500

/** The prices of a class, and its limits of passengers and pieces of luggage (null: no limit). */
export const ClassRates = Schema.Struct({
  vehicle_class: oneOf(VehicleClass),
  max_passengers: orNull(Count),
  max_luggage: orNull(Count),
  fixed: listOf(FixedPrice, maxFixedPrices),
  distance: listOf(DistancePrice, 20),
  hours: listOf(HourPrice, 20),
  days: listOf(DayPrice, 20)
})
export type ClassRates = typeof ClassRates.Type
