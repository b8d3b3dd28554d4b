/** A fare: its lines and their sum. */
import { Schema } from "effect"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { FareInputs } from "./FareInputs.ts"
import { FareStep } from "../rules/FareStep.ts"

/**
 * A line of a fare. `inputs` are the values that the rule used: metres, minutes, counts, zones, percentages. `of_minor`
 * is the amount that the line is computed from: the base of a percentage, the minimum, or the sum that is rounded; null
 * for all other lines.
 */
export interface FareLine {
  readonly step: FareStep
  /** The id of the rule in its tariff. */
  readonly rule: string
  readonly name: string | null
  readonly inputs: Readonly<Record<string, number | string>>
  readonly of_minor: number | null
  readonly minor: number
}

/**
 * A fare in minor units: the lines sum to `total_minor`. `tax_minor` is the tax in the total, whether included in the
 * prices or added.
 */
export interface Fare {
  readonly vehicle_class: VehicleClass
  readonly lines: ReadonlyArray<FareLine>
  readonly total_minor: number
  readonly tax_minor: number
}

/**
 * Why a class has no fare: no rule prices the trip, the distance or the duration is unknown, the class has too few
 * seats or too little luggage room, or the fare exceeds the largest amount.
 */
export const NoFareReason = Schema.Literals([
  "no_price",
  "distance_unknown",
  "duration_unknown",
  "too_many_passengers",
  "too_much_luggage",
  "amount_too_large"
])
export type NoFareReason = typeof NoFareReason.Type

/** A class that has no fare for a trip. */
export const NoFare = Schema.Struct({ vehicle_class: VehicleClass, reason: NoFareReason })
export type NoFare = typeof NoFare.Type

/** The fares of a trip in every class of a tariff, in the order of the tariff. */
export interface FareEstimate {
  readonly engine_version: number
  readonly tariff_version: number
  readonly currency: Currency
  readonly inputs: FareInputs
  readonly fares: ReadonlyArray<Fare>
  readonly unavailable: ReadonlyArray<NoFare>
}

/** A line in a response and as stored; amounts in major units. */
export const FareLineRecord = Schema.Struct({
  step: FareStep,
  rule: Schema.String,
  name: Schema.NullOr(Schema.String),
  inputs: Schema.Record(Schema.String, Schema.Union([Schema.Finite, Schema.String])),
  of_amount: Schema.NullOr(Schema.Finite),
  amount: Schema.Finite
})
export type FareLineRecord = typeof FareLineRecord.Type

/** A fare in a response and as stored; amounts in major units. */
export const FareRecord = Schema.Struct({
  vehicle_class: VehicleClass,
  lines: Schema.Array(FareLineRecord),
  total_amount: Schema.Finite,
  tax_amount: Schema.Finite
})
export type FareRecord = typeof FareRecord.Type

/** An estimate as stored. With the same version of its tariff it can be computed again, see `computeAgain` of `FareEstimates`. */
export const FareEstimateRecord = Schema.Struct({
  engine_version: Schema.Int,
  tariff_version: Schema.Int,
  currency: Schema.String,
  inputs: FareInputs,
  fares: Schema.Array(FareRecord),
  unavailable: Schema.Array(NoFare)
})
export type FareEstimateRecord = typeof FareEstimateRecord.Type

/** The record of a fare. */
export const fareRecord = (fare: Fare, currency: Currency): FareRecord => {
  const major = (minor: number) => Money.toMajor({ minor, currency })
  return {
    vehicle_class: fare.vehicle_class,
    lines: fare.lines.map(({ inputs, minor, name, of_minor, rule, step }) => ({
      step,
      rule,
      name,
      inputs,
      of_amount: of_minor === null ? null : major(of_minor),
      amount: major(minor)
    })),
    total_amount: major(fare.total_minor),
    tax_amount: major(fare.tax_minor)
  }
}

/** The record of an estimate. */
export const fareEstimateRecord = (estimate: FareEstimate): FareEstimateRecord => ({
  engine_version: estimate.engine_version,
  tariff_version: estimate.tariff_version,
  currency: estimate.currency,
  inputs: estimate.inputs,
  fares: estimate.fares.map((fare) => fareRecord(fare, estimate.currency)),
  unavailable: estimate.unavailable
})
