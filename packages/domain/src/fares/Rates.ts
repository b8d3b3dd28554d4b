/** The base prices of a vehicle class: between zones, by distance, by hours and by days. */
import { Schema } from "effect"
import { VehicleClass } from "../fleet/Car.ts"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { orNull, yesOrNo } from "../kernel/fields/Optional.ts"
import { TripType } from "../trips/TripStatus.ts"
import { FareStep } from "./FareStep.ts"
import {
  Amount,
  ChargedMinutes,
  Count,
  eitherWayUnlessSent,
  listOf,
  Minutes,
  RuleId,
  ruleName,
  UnitDistance,
  unlessSent
} from "./TariffFields.ts"
import { When } from "./When.ts"

/** What every base price has: when it holds, for which types of trip (none sent: all), and what it covers already. */
const basePrice = {
  ...ruleName,
  when: When,
  trip_types: listOf(oneOf(TripType), 7),
  /** Steps that are not charged on top of it: an all-inclusive price includes `night`, `airport`, … */
  includes: listOf(oneOf(FareStep), 17)
}

/** A price between two zones, either way or one way. The zones may be the same one. */
export const FixedPrice = Schema.Struct({
  ...basePrice,
  from: RuleId,
  to: RuleId,
  direction: eitherWayUnlessSent,
  amount: Amount
})
export type FixedPrice = typeof FixedPrice.Type

/** An amount for each `per` of distance, up to a distance; the last tier of a list has none, or the price ends there. */
export const DistanceTier = Schema.Struct({
  up_to: orNull(UnitDistance),
  amount: Amount,
  per: unlessSent(UnitDistance, 1)
})
export type DistanceTier = typeof DistanceTier.Type

/**
 * `graduated`: each part of the distance at the rate of its own tier. `whole`: all of it at the rate of the tier that it
 * ends in, which can make a longer ride cheaper; `tariffWarnings` lists such prices.
 */
export const TierMode = Schema.Literals(["graduated", "whole"])

/** A price by distance: `base`, then tiers, then an amount a minute. `started`: begun periods of `per` count whole. */
export const DistancePrice = Schema.Struct({
  ...basePrice,
  base: unlessSent(Amount, 0),
  tiers: listOf(DistanceTier, 20),
  mode: unlessSent(oneOf(TierMode), "graduated"),
  started: yesOrNo(false),
  per_minute: unlessSent(Amount, 0)
})
export type DistancePrice = typeof DistancePrice.Type

/** So many minutes at one price, with a distance that is included (null: any). */
export const HourPackage = Schema.Struct({
  minutes: Minutes.check(check<number>("out_of_range", (minutes) => minutes >= 1, { minimum: 1 })),
  amount: Amount,
  distance: orNull(UnitDistance)
})
export type HourPackage = typeof HourPackage.Type

/**
 * A price by hours: `per_hour` for each started `increment_minutes`, at least `minimum_minutes`. Packages take the place
 * of the minimum: the cheapest that covers the time applies, time beyond it is charged by `per_hour`; without
 * `per_hour` no time beyond the longest package can be booked. Distance beyond what is included costs
 * `extra_distance` each unit, and each hour that is charged includes `distance_per_hour`.
 */
export const HourPrice = Schema.Struct({
  ...basePrice,
  per_hour: orNull(Amount),
  increment_minutes: unlessSent(ChargedMinutes, 60),
  minimum_minutes: unlessSent(Minutes, 0),
  packages: listOf(HourPackage, 50),
  distance_per_hour: orNull(UnitDistance),
  extra_distance: unlessSent(Amount, 0)
})
export type HourPrice = typeof HourPrice.Type

/**
 * A price by days of up to `hours`, each of which includes `distance`. Hours beyond them cost `extra_hour` each once
 * begun, and are included when that is 0; distance beyond costs `extra_distance` each unit.
 */
export const DayPrice = Schema.Struct({
  ...basePrice,
  amount: Amount,
  hours: unlessSent(
    Schema.Int.check(
      check<number>("out_of_range", (hours) => hours >= 1 && hours <= 24, { minimum: 1, maximum: 24 })
    ),
    24
  ),
  distance: orNull(UnitDistance),
  extra_hour: unlessSent(Amount, 0),
  extra_distance: unlessSent(Amount, 0)
})
export type DayPrice = typeof DayPrice.Type

/** How many fixed prices a class may have. */
export const mostFixedPrices = 500

/** The prices of a class, and how many passengers and pieces of luggage it takes (null: any number). */
export const ClassRates = Schema.Struct({
  vehicle_class: oneOf(VehicleClass),
  max_passengers: orNull(Count),
  max_luggage: orNull(Count),
  fixed: listOf(FixedPrice, mostFixedPrices),
  distance: listOf(DistancePrice, 20),
  hours: listOf(HourPrice, 20),
  days: listOf(DayPrice, 20)
})
export type ClassRates = typeof ClassRates.Type
