/** The modifiers of a tariff: lists of rules, one for each step after the base price. */
import { Schema } from "effect"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { between } from "../../kernel/fields/FieldIssue.ts"
import { orNull, yesOrNo } from "../../kernel/fields/Optional.ts"
import { text } from "../../kernel/fields/Text.ts"
import { ArrivalKind } from "../../trips/trip/RideInputs.ts"
import { TripType } from "../../trips/trip/TripStatus.ts"
import {
  Amount,
  PositiveAmount,
  PositiveCount,
  ChargedMinutes,
  Count,
  directionOrEither,
  listOf,
  nullableListOf,
  Minutes,
  Percent,
  recordOrNull,
  RuleId,
  ruleName,
  SignedAmount,
  SignedPercent,
  orDefault
} from "./TariffFields.ts"
import { When } from "./When.ts"

/** The fields that all rules share: the classes and types of trip that the rule applies to (default: all), and when. */
const rule = {
  ...ruleName,
  classes: listOf(oneOf(VehicleClass), 7),
  trip_types: listOf(oneOf(TripType), 7),
  when: When
}

/** Exactly one of the two must be sent. */
const charge = { percent: orNull(Percent), amount: orNull(Amount) }

/** A surcharge or discount at night or on dates. Exactly one of `percent` and `amount` must be sent. */
export const TimeModifier = Schema.Struct({
  ...rule,
  percent: orNull(SignedPercent),
  amount: orNull(SignedAmount)
})
export type TimeModifier = typeof TimeModifier.Type

/** A fee at one airport zone, or at any airport if `zone` is null. */
const AirportFee = Schema.Struct({
  ...rule,
  zone: orNull(RuleId),
  pickup: orDefault(Amount, 0),
  dropoff: orDefault(Amount, 0)
})

/** A fixed amount: for an option that the customer ordered, or the least that a trip costs. */
export const AmountRule = Schema.Struct({ ...rule, amount: Amount })

/**
 * A fee for stops: `amount` for each stop beyond `included`, and `per_minute` for each minute at a stop beyond its
 * `free_minutes`.
 */
const StopFee = Schema.Struct({
  ...rule,
  included: orDefault(Count, 0),
  amount: Amount,
  free_minutes: orDefault(Minutes, 0),
  per_minute: orDefault(Amount, 0)
})

/**
 * A fee for child seats: `amounts` of the first seat, the second, and so on; the last amount applies to all further
 * seats. For the given types of seat, or all; upper and lower case of a type do not matter.
 */
const ChildSeatFee = Schema.Struct({
  ...rule,
  types: listOf(text(50), 20),
  amounts: listOf(Amount, 20)
})

/**
 * A fee for `from` to `to` passengers (null: no upper limit). With `each`, `amount` is charged for each passenger from
 * number `from` on.
 */
const PassengerFee = Schema.Struct({
  ...rule,
  from: PositiveCount,
  to: orNull(Count),
  ...charge,
  each: yesOrNo(false)
})

/** A fee for luggage: `amount` for each piece beyond the number `beyond`. */
const LuggageFee = Schema.Struct({ ...rule, beyond: orDefault(Count, 0), amount: Amount })

/**
 * A fee for waiting: `amount` for each started `per_minutes` after `free_minutes`. For the given kinds of arrival, or
 * all.
 */
const WaitingFee = Schema.Struct({
  ...rule,
  arrivals: listOf(oneOf(ArrivalKind), 6),
  free_minutes: orDefault(Minutes, 0),
  amount: Amount,
  per_minutes: orDefault(ChargedMinutes, 1)
})

/** A toll between two zones; null means anywhere. Every toll that applies is charged. */
const TollFee = Schema.Struct({
  ...rule,
  from: orNull(RuleId),
  to: orNull(RuleId),
  direction: directionOrEither,
  amount: Amount
})

/** A percentage or an amount: exactly one of them must be sent. */
export const ChargeRule = Schema.Struct({ ...rule, ...charge })

/**
 * A step of a late cancellation. It applies if the trip is cancelled with less than `within_minutes` of notice, or at
 * most `within_days` days before the day of pickup (0: on that day). Exactly one of the two must be sent, and exactly
 * one of `percent` and `amount`.
 */
export const CancellationStep = Schema.Struct({
  within_minutes: orNull(Minutes),
  within_days: orNull(Schema.Int.check(between(0, 366))),
  ...charge
})

/** The steps of a late cancellation. The most expensive of the applicable steps is charged, in any order of the list. */
const CancellationRule = Schema.Struct({ ...rule, steps: listOf(CancellationStep, 20) })

/** Rounds the total to a multiple of `to`. */
const Rounding = Schema.Struct({
  id: orNull(RuleId),
  to: PositiveAmount,
  mode: orDefault(oneOf(Schema.Literals(["nearest", "up", "down"])), "nearest")
})

const TaxRate = Schema.Struct({ ...ruleName, percent: Percent })

/**
 * The steps that may be exempt from tax. A step that grows with distance or waiting and also counts towards the minimum
 * may not: more of it could lower the tax by more than it costs.
 */
const ExemptStep = Schema.Literals(["airport", "tolls", "gratuity", "late_cancellation", "no_show"])

/**
 * Taxes. `included`: the prices contain them; else they are added. A fare's `tax_minor` is its tax in both cases. The
 * `exempt` steps are not taxed; if there are any, neither is the rounding. Each rate applies to the same amount: no tax
 * is charged on another tax.
 */
const Tax = Schema.Struct({
  included: Schema.Boolean,
  exempt: listOf(oneOf(ExemptStep), 5),
  rates: listOf(TaxRate, 5)
})

const most = 100

/** The modifiers of a tariff. They apply in the order of `fareSteps`, not in the order of the request. */
export const Modifiers = Schema.Struct({
  night: listOf(TimeModifier, most),
  dates: listOf(TimeModifier, most),
  airport: listOf(AirportFee, most),
  meet_and_greet: listOf(AmountRule, most),
  stops: listOf(StopFee, most),
  child_seats: listOf(ChildSeatFee, most),
  passengers: listOf(PassengerFee, most),
  luggage: listOf(LuggageFee, most),
  waiting: listOf(WaitingFee, most),
  tolls: listOf(TollFee, most),
  gratuity: listOf(ChargeRule, most),
  late_cancellation: listOf(CancellationRule, most),
  no_show: listOf(ChargeRule, most),
  minimum: listOf(AmountRule, most),
  rounding: recordOrNull(Rounding),
  tax: recordOrNull(Tax)
})
export type Modifiers = typeof Modifiers.Type

const sent = <S extends Schema.Constraint>(rule: S) => Schema.optionalKey(nullableListOf(rule, most))

/** A change of modifiers: each that is sent replaces the whole one before, and `null` or an empty list removes it. */
export const ModifierChanges = Schema.Struct({
  night: sent(TimeModifier),
  dates: sent(TimeModifier),
  airport: sent(AirportFee),
  meet_and_greet: sent(AmountRule),
  stops: sent(StopFee),
  child_seats: sent(ChildSeatFee),
  passengers: sent(PassengerFee),
  luggage: sent(LuggageFee),
  waiting: sent(WaitingFee),
  tolls: sent(TollFee),
  gratuity: sent(ChargeRule),
  late_cancellation: sent(CancellationRule),
  no_show: sent(ChargeRule),
  minimum: sent(AmountRule),
  rounding: Schema.optionalKey(Schema.NullOr(Rounding)),
  tax: Schema.optionalKey(Schema.NullOr(Tax))
})
export type ModifierChanges = typeof ModifierChanges.Type

/** The modifiers after a change. */
export const withModifierChanges = (
  modifiers: Modifiers | null,
  changes: ModifierChanges | null
): Modifiers | null => (changes === null ? null : Modifiers.make({ ...modifiers, ...changes }))
