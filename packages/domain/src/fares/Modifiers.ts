/** What is added to the base price, step by step: the lists of rules of a tariff, one for each step. */
import { Schema } from "effect"
import { VehicleClass } from "../fleet/Car.ts"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { orNull, yesOrNo } from "../kernel/fields/Optional.ts"
import { text } from "../kernel/fields/Text.ts"
import { TripType } from "../trips/TripStatus.ts"
import {
  Amount,
  ChargedMinutes,
  Count,
  eitherWayUnlessSent,
  listOf,
  Minutes,
  Percent,
  recordOrNull,
  RuleId,
  ruleName,
  SignedAmount,
  SignedPercent,
  unlessSent
} from "./TariffFields.ts"
import { When } from "./When.ts"

/** How someone gets to the pickup. `flight` stands for both kinds of flight, and for one that is not known closer. */
export const ArrivalKind = Schema.Literals([
  "address",
  "flight",
  "domestic_flight",
  "international_flight",
  "train",
  "ship"
])
export type ArrivalKind = typeof ArrivalKind.Type

/** What every rule has: for which classes and types of trip it holds (none sent: all), and when. */
const rule = {
  ...ruleName,
  classes: listOf(oneOf(VehicleClass), 7),
  trip_types: listOf(oneOf(TripType), 7),
  when: When
}

/** Exactly one of the two is sent. */
const charge = { percent: orNull(Percent), amount: orNull(Amount) }

/** At night or on dates: more, or less. Exactly one of `percent` and `amount` is sent. */
export const TimeModifier = Schema.Struct({
  ...rule,
  percent: orNull(SignedPercent),
  amount: orNull(SignedAmount)
})
export type TimeModifier = typeof TimeModifier.Type

/** At one airport of the zones, or at any (`zone` null). */
export const AirportFee = Schema.Struct({
  ...rule,
  zone: orNull(RuleId),
  pickup: unlessSent(Amount, 0),
  dropoff: unlessSent(Amount, 0)
})

/** An amount, when it is ordered. */
export const OrderedFee = Schema.Struct({ ...rule, amount: Amount })

/** `amount` for each stop beyond `included`, `per_minute` for each minute at a stop beyond its `free_minutes`. */
export const StopFee = Schema.Struct({
  ...rule,
  included: unlessSent(Count, 0),
  amount: Amount,
  free_minutes: unlessSent(Minutes, 0),
  per_minute: unlessSent(Amount, 0)
})

/** `amounts` of the first seat, the second, …; the last one holds for all further seats. For given types, or all. */
export const ChildSeatFee = Schema.Struct({
  ...rule,
  types: listOf(text(50), 20),
  amounts: listOf(Amount, 20)
})

/** With `from` to `to` passengers (null: any number more); `each`: `amount` for each of them from `from` on. */
export const PassengerFee = Schema.Struct({
  ...rule,
  from: Count.check(check<number>("out_of_range", (count) => count >= 1, { minimum: 1 })),
  to: orNull(Count),
  ...charge,
  each: yesOrNo(false)
})

/** `amount` for each piece beyond `beyond`. */
export const LuggageFee = Schema.Struct({ ...rule, beyond: unlessSent(Count, 0), amount: Amount })

/** `amount` for each started `per_minutes` after `free_minutes`, for given kinds of arrival, or all. */
export const WaitingFee = Schema.Struct({
  ...rule,
  arrivals: listOf(oneOf(ArrivalKind), 6),
  free_minutes: unlessSent(Minutes, 0),
  amount: Amount,
  per_minutes: unlessSent(ChargedMinutes, 1)
})

/** A toll between two zones; null stands for anywhere. Every toll that holds is charged. */
export const TollFee = Schema.Struct({
  ...rule,
  from: orNull(RuleId),
  to: orNull(RuleId),
  direction: eitherWayUnlessSent,
  amount: Amount
})

/** A percentage or an amount: exactly one of them is sent. */
export const ChargeRule = Schema.Struct({ ...rule, ...charge })

/**
 * Holds when the trip is cancelled with less than so many minutes of notice, or so many days or fewer before the day of
 * pickup (0: on that day). Exactly one of the two is sent, and exactly one of `percent` and `amount`.
 */
export const CancellationStep = Schema.Struct({
  within_minutes: orNull(Minutes),
  within_days: orNull(Schema.Int.check(check<number>("out_of_range", (days) => days >= 0 && days <= 366))),
  ...charge
})

/** Of the steps that hold, the one that costs most applies: the order of the steps does not matter. */
export const CancellationRule = Schema.Struct({ ...rule, steps: listOf(CancellationStep, 20) })

/** The total becomes a multiple of `to`. */
export const Rounding = Schema.Struct({
  id: orNull(RuleId),
  to: Amount.check(check<number>("out_of_range", (amount) => amount > 0)),
  mode: unlessSent(oneOf(Schema.Literals(["nearest", "up", "down"])), "nearest")
})

const TaxRate = Schema.Struct({ ...ruleName, percent: Percent })

/**
 * The steps that a tax may leave out. None of them grows with the way or the waiting and counts towards the minimum too,
 * else more of it could lower the tax by more than it costs.
 */
export const ExemptStep = Schema.Literals(["airport", "tolls", "gratuity", "late_cancellation", "no_show"])

/**
 * Taxes. `included`: the prices contain them; else they are added. A fare's `tax_minor` is its tax either way. The `exempt`
 * steps carry none, and where there are any, neither does the rounding. Each rate is of the same amount: none is levied
 * on another.
 */
export const Tax = Schema.Struct({
  included: Schema.Boolean,
  exempt: listOf(oneOf(ExemptStep), 5),
  rates: listOf(TaxRate, 5)
})

const most = 100

/** The modifiers of a tariff. The order in which they apply is that of `fareSteps`, whatever order they are sent in. */
export const Modifiers = Schema.Struct({
  night: listOf(TimeModifier, most),
  dates: listOf(TimeModifier, most),
  airport: listOf(AirportFee, most),
  meet_and_greet: listOf(OrderedFee, most),
  stops: listOf(StopFee, most),
  child_seats: listOf(ChildSeatFee, most),
  passengers: listOf(PassengerFee, most),
  luggage: listOf(LuggageFee, most),
  waiting: listOf(WaitingFee, most),
  tolls: listOf(TollFee, most),
  gratuity: listOf(ChargeRule, most),
  late_cancellation: listOf(CancellationRule, most),
  no_show: listOf(ChargeRule, most),
  minimum: listOf(OrderedFee, most),
  rounding: recordOrNull(Rounding),
  tax: recordOrNull(Tax)
})
export type Modifiers = typeof Modifiers.Type
