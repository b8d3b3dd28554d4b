/** The order of the steps of a fare, and the base of each percentage. `docs/api/fare-rules.md` shows the same table. */
import { Schema } from "effect"

/** The steps of a fare, in the order in which they apply. */
export const FareStep = Schema.Literals([
  "base",
  "night",
  "dates",
  "airport",
  "meet_and_greet",
  "stops",
  "child_seats",
  "passengers",
  "luggage",
  "waiting",
  "tolls",
  "gratuity",
  "late_cancellation",
  "no_show",
  "minimum",
  "rounding",
  "tax"
])
export type FareStep = typeof FareStep.Type

/**
 * The base of a percentage. `base`: the sum of the base lines. `fare`: all lines before the step except tolls. `ride`:
 * the fare without waiting, tolls and gratuity, raised to the minimum. `total`: all lines before the step except those
 * that are exempt from tax.
 */
export type PercentOf = "base" | "fare" | "ride" | "total"

/** A row of the table. `selects`: if several rules of the step apply, whether the first one is used or all of them. */
export interface FareStepRow {
  readonly step: FareStep
  readonly charges: string
  readonly percentOf: PercentOf | null
  readonly selects: "first" | "every" | "one"
}

/** The table of steps. Each percentage line is rounded to the minor unit on its own, halves away from zero. */
export const fareSteps: ReadonlyArray<FareStepRow> = [
  {
    step: "base",
    charges:
      "the fixed price between two zones, else base and distance tiers; by time the cheaper of hours and days",
    percentOf: null,
    selects: "first"
  },
  {
    step: "night",
    charges: "a surcharge or discount within windows of the clock",
    percentOf: "base",
    selects: "first"
  },
  {
    step: "dates",
    charges: "a surcharge or discount on weekdays and dates",
    percentOf: "base",
    selects: "first"
  },
  {
    step: "airport",
    charges: "an amount for a pickup and one for a dropoff at an airport",
    percentOf: null,
    selects: "first"
  },
  { step: "meet_and_greet", charges: "an amount when it is ordered", percentOf: null, selects: "first" },
  {
    step: "stops",
    charges: "an amount for each stop and for its minutes, beyond those included",
    percentOf: null,
    selects: "first"
  },
  {
    step: "child_seats",
    charges: "an amount for each seat, by type and number",
    percentOf: null,
    selects: "first"
  },
  {
    step: "passengers",
    charges: "an amount, once or for each, or a percentage, from a number of passengers on",
    percentOf: "base",
    selects: "first"
  },
  { step: "luggage", charges: "an amount for each piece beyond a number", percentOf: null, selects: "first" },
  {
    step: "waiting",
    charges: "an amount for each started period after the free minutes, by kind of arrival",
    percentOf: null,
    selects: "first"
  },
  { step: "tolls", charges: "tolls between zones, and tolls at cost", percentOf: null, selects: "every" },
  { step: "gratuity", charges: "a percentage or an amount", percentOf: "fare", selects: "first" },
  {
    step: "late_cancellation",
    charges:
      "for a cancelled trip, in place of all lines before it: a percentage or an amount, by the notice",
    percentOf: "ride",
    selects: "first"
  },
  {
    step: "no_show",
    charges: "for a no-show, beside waiting and tolls at cost: a percentage or an amount",
    percentOf: "ride",
    selects: "first"
  },
  {
    step: "minimum",
    charges: "the amount by which the lines before it, without tolls and gratuity, fall short of the minimum",
    percentOf: null,
    selects: "first"
  },
  {
    step: "rounding",
    charges: "the difference to a multiple of an amount, which may be negative",
    percentOf: null,
    selects: "one"
  },
  { step: "tax", charges: "taxes that the prices do not include", percentOf: "total", selects: "every" }
]
