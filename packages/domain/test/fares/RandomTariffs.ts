/** Random tariffs and trips for property tests. A recipe is drawn, and a tariff is built from it. */
import {
  compileTariff,
  type CompiledTariff,
  type FareInputs,
  FareOutcome,
  FareStep,
  Tariff,
  TripType
} from "@livery/domain"
import { Result, Schema } from "effect"
import { decoded } from "../support/Decoding.ts"
import { place, trip } from "./Tariffs.ts"

const int = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const upTo = <S extends Schema.Constraint>(item: S, most: number) =>
  Schema.Array(item).check(Schema.isMaxLength(most))

/** Minor units; the builder writes them as major units of the currency that was drawn. */
const Minor = int(0, 50_000)
const Small = int(0, 500)
const Zone = Schema.Literals(["a", "b", "c"])
const Windows = Schema.Literals(["always", "night", "weekend"])
const Direction = Schema.Literals(["either", "one_way"])
const Classes = Schema.Literals(["all", "sedan"])
const Percent = int(0, 2500)

const conditions = { when: Windows, classes: Classes }
const chargeable = Schema.Struct({ ...conditions, percent: Schema.NullOr(Percent), minor: Minor })
const discountable = Schema.Struct({
  ...conditions,
  percent: Schema.NullOr(int(-1000, 2500)),
  minor: int(-3000, 3000)
})

const Distance = Schema.Struct({
  when: Windows,
  base: Minor,
  tiers: upTo(Schema.Struct({ length: int(1, 60_000), minor: Small, per: int(10, 3000) }), 4),
  open: Schema.Boolean,
  whole: Schema.Boolean,
  started: Schema.Boolean,
  minute: int(0, 100),
  includes: upTo(FareStep, 2)
})

const Hours = Schema.Struct({
  when: Windows,
  hour: Schema.NullOr(int(0, 20_000)),
  increment: Schema.Literals([1, 15, 30, 60]),
  minimum: int(0, 300),
  packages: upTo(
    Schema.Struct({ minutes: int(1, 900), minor: Minor, distance: Schema.NullOr(int(1, 300_000)) }),
    3
  ),
  included: Schema.NullOr(int(1, 40_000)),
  extra: int(0, 400)
})

const Days = Schema.Struct({
  minor: int(10_000, 100_000),
  hours: int(1, 24),
  distance: Schema.NullOr(int(1, 300_000)),
  extraHour: Small,
  extra: int(0, 100)
})

/** The random values that a tariff is built from. */
export const Recipe = Schema.Struct({
  currency: Schema.Literals(["JPY", "EUR", "KWD"]),
  unit: Schema.Literals(["km", "mi"]),
  fixed: upTo(Schema.Struct({ from: Zone, to: Zone, direction: Direction, when: Windows, minor: Minor }), 3),
  distance: upTo(Distance, 3),
  hours: upTo(Hours, 2),
  days: upTo(Days, 1),
  night: upTo(discountable, 2),
  dates: upTo(discountable, 2),
  fee: Small,
  passengers: upTo(chargeable, 1),
  waiting: upTo(Schema.Struct({ ...conditions, free: int(0, 30), minor: Small, per: int(1, 30) }), 2),
  tolls: upTo(Schema.Struct({ from: Schema.NullOr(Zone), to: Schema.NullOr(Zone), minor: Small }), 2),
  gratuity: upTo(chargeable, 1),
  late: upTo(Schema.Struct({ within: int(0, 3000), percent: Percent }), 3),
  noShow: upTo(chargeable, 1),
  minimum: upTo(Schema.Struct({ ...conditions, minor: Minor }), 2),
  rounding: Schema.NullOr(
    Schema.Struct({ minor: int(1, 1000), mode: Schema.Literals(["nearest", "up", "down"]) })
  ),
  tax: Schema.NullOr(
    Schema.Struct({
      included: Schema.Boolean,
      exempt: upTo(Schema.Literals(["airport", "tolls", "gratuity", "no_show"]), 2),
      rates: Schema.Array(Percent).check(Schema.isMinLength(1), Schema.isMaxLength(3))
    })
  )
})
export type Recipe = typeof Recipe.Type

/** A trip to be priced by such a tariff. */
export const RandomTrip = Schema.Struct({
  tripType: TripType,
  outcome: FareOutcome,
  pickup: Schema.NullOr(Zone),
  dropoff: Schema.NullOr(Zone),
  day: int(1, 28),
  hour: int(0, 23),
  minute: int(0, 59),
  metres: int(0, 400_000),
  minutes: int(1, 4000),
  stops: upTo(int(0, 60), 3),
  passengers: int(1, 9),
  luggage: int(0, 5),
  seats: int(0, 3),
  greeted: Schema.Boolean,
  waited: int(0, 90),
  tolls: Small,
  notice: int(-60, 4000)
})
export type RandomTrip = typeof RandomTrip.Type

const exponents = { JPY: 0, EUR: 2, KWD: 3 } as const

const windows = {
  always: [],
  night: [{ from: "22:00", to: "06:00" }],
  weekend: [{ weekdays: ["sat", "sun"] }]
}

const zones = ["a", "b", "c"].map((id, index) => ({
  id,
  name: id,
  kind: "postal",
  prefixes: [String(index)]
}))

const thousandths = (value: number) => Number((value / 1000).toFixed(3))

/** The tariff of a recipe, as a business sends it. */
const sentTariff = (recipe: Recipe) => {
  const exponent = exponents[recipe.currency]
  const major = (minor: number) => Number((minor / 10 ** exponent).toFixed(exponent))
  const percent = (hundredths: number) => Number((hundredths / 100).toFixed(2))
  const when = (window: keyof typeof windows) => windows[window]
  const held = (rule: { readonly when: keyof typeof windows; readonly classes: "all" | "sedan" }) => ({
    when: when(rule.when),
    classes: rule.classes === "all" ? [] : ["sedan"]
  })
  const charge = (rule: { readonly percent: number | null; readonly minor: number }) =>
    rule.percent === null ? { amount: major(rule.minor) } : { percent: percent(rule.percent) }
  const always = (window: keyof typeof windows) => (window === "always" ? [{}] : when(window))

  const distance = recipe.distance.map((price) => {
    let end = 0
    const tiers = price.tiers.map(({ length, minor, per }, index) => {
      end += length
      const last = index === price.tiers.length - 1
      return {
        up_to: last && price.open ? null : thousandths(end),
        amount: major(minor),
        per: thousandths(per)
      }
    })
    return {
      when: when(price.when),
      base: major(price.base),
      tiers,
      mode: price.whole ? "whole" : "graduated",
      started: price.started,
      per_minute: major(price.minute),
      includes: price.includes
    }
  })
  const hours = recipe.hours.map((price) => ({
    when: when(price.when),
    per_hour: price.hour === null ? null : major(price.hour),
    increment_minutes: price.increment,
    minimum_minutes: price.packages.length === 0 ? price.minimum : 0,
    packages: price.packages.map((of) => ({
      minutes: of.minutes,
      amount: major(of.minor),
      distance: of.distance === null ? null : thousandths(of.distance)
    })),
    distance_per_hour: price.included === null ? null : thousandths(price.included),
    extra_distance: major(price.extra)
  }))
  const days = recipe.days.map((price) => ({
    amount: major(price.minor),
    hours: price.hours,
    distance: price.distance === null ? null : thousandths(price.distance),
    extra_hour: major(price.extraHour),
    extra_distance: major(price.extra)
  }))
  const rates = {
    fixed: recipe.fixed.map((price) => ({ ...price, when: when(price.when), amount: major(price.minor) })),
    distance,
    hours,
    days
  }
  const timed = (rules: Recipe["night"]) =>
    rules.map((rule) => ({ ...held(rule), when: always(rule.when), ...charge(rule) }))
  const fee = { amount: major(recipe.fee) }
  return {
    name: "Random",
    currency: recipe.currency,
    distance_unit: recipe.unit,
    zones,
    classes: [
      { vehicle_class: "sedan", ...rates },
      { vehicle_class: "van", ...rates }
    ],
    modifiers: {
      night: timed(recipe.night),
      dates: timed(recipe.dates),
      airport: [{ pickup: fee.amount, dropoff: fee.amount }],
      meet_and_greet: [fee],
      stops: [{ ...fee, included: 1, per_minute: fee.amount }],
      child_seats: [{ amounts: [0, fee.amount] }],
      passengers: recipe.passengers.map((rule) => ({ ...held(rule), from: 5, ...charge(rule) })),
      luggage: [{ ...fee, beyond: 2 }],
      waiting: recipe.waiting.map((rule) => ({
        ...held(rule),
        free_minutes: rule.free,
        amount: major(rule.minor),
        per_minutes: rule.per
      })),
      tolls: recipe.tolls.map((toll) => ({ ...toll, amount: major(toll.minor) })),
      gratuity: recipe.gratuity.map((rule) => ({ ...held(rule), ...charge(rule) })),
      late_cancellation:
        recipe.late.length === 0
          ? []
          : [
              {
                steps: recipe.late.map((step) => ({
                  within_minutes: step.within,
                  percent: percent(step.percent)
                }))
              }
            ],
      no_show: recipe.noShow.map((rule) => ({ ...held(rule), ...charge(rule) })),
      minimum: recipe.minimum.map((rule) => ({ ...held(rule), amount: major(rule.minor) })),
      rounding:
        recipe.rounding === null ? null : { to: major(recipe.rounding.minor), mode: recipe.rounding.mode },
      tax:
        recipe.tax === null
          ? null
          : {
              included: recipe.tax.included,
              exempt: recipe.tax.exempt,
              rates: recipe.tax.rates.map((rate) => ({ percent: percent(rate) }))
            }
    }
  }
}

const compiledOrNull = (tariff: Tariff): CompiledTariff | null =>
  Result.match(compileTariff(tariff, 7), { onSuccess: (compiled) => compiled, onFailure: () => null })

/** The tariff of a recipe, decoded, with its amounts in major units. */
export const decodedTariff = (recipe: Recipe): Tariff => decoded(Tariff, sentTariff(recipe))

/** The tariff of a recipe, compiled; null if its distances or hours contradict each other. */
export const randomTariff = (recipe: Recipe): CompiledTariff | null => compiledOrNull(decodedTariff(recipe))

/** The same after it was stored as JSON and read again. */
export const storedTariff = (recipe: Recipe): CompiledTariff | null => {
  const text = JSON.stringify(Schema.encodeSync(Tariff)(decodedTariff(recipe)))
  return compiledOrNull(decoded(Tariff, JSON.parse(text)))
}

const digits = (value: number) => String(value).padStart(2, "0")
const placeIn = (zone: "a" | "b" | "c" | null) =>
  place(zone === null ? {} : { postal_code: String(["a", "b", "c"].indexOf(zone)) })

/** The inputs of a trip that was drawn. */
export const randomInputs = (drawn: RandomTrip): FareInputs =>
  trip({
    pickup_local: `2026-06-${digits(drawn.day)} ${digits(drawn.hour)}:${digits(drawn.minute)}:00`,
    trip_type: drawn.tripType,
    outcome: drawn.outcome,
    notice:
      drawn.outcome === "cancelled" ? { minutes: drawn.notice, days: Math.floor(drawn.notice / 1440) } : null,
    pickup: placeIn(drawn.pickup),
    dropoff: placeIn(drawn.dropoff),
    distance_m: drawn.metres,
    duration_minutes: drawn.minutes,
    stop_minutes: drawn.stops,
    passengers: drawn.passengers,
    luggage: drawn.luggage,
    child_seats: [{ type: "booster", count: drawn.seats }],
    meet_and_greet: drawn.greeted,
    waiting_minutes: drawn.waited,
    tolls_minor: drawn.tolls
  })
