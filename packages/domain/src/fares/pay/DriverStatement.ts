/** A driver's statement: the pay of each completed trip within some days, and the totals by currency. */
import { type DateTime, Option, Result, Schema } from "effect"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { DriverId, TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { dayCountIssues } from "../../kernel/time/DayRange.ts"
import { CalendarDay, rfc3339, wallClock } from "../../kernel/time/WallClock.ts"
import { defaultDurationMinutes } from "../../trips/trip/TripWindow.ts"
import { compilePayScheme, type DriverPay } from "./DriverPay.ts"
import { type DriverTerms, schemeOf } from "./DriverTerms.ts"
import type { Fare, FareLine } from "../engine/Fare.ts"
import { ComputedFare, totalOfFare } from "../trips/TripFare.ts"

/** The longest statement, in days. */
export const maxStatementDays = 92

/** The days of a statement on the business's clock, both inclusive. */
export const StatementQuery = Schema.Struct({ from: CalendarDay, to: CalendarDay })
export type StatementQuery = typeof StatementQuery.Type

/** An issue if the days are in the wrong order or too many. */
export const statementIssues = (days: StatementQuery): ReadonlyArray<FieldIssue> =>
  dayCountIssues(days, maxStatementDays, "to")

/**
 * A completed trip of a driver. `drivers` are all drivers who completed it, in the order of their assignments.
 * `en_route_at` and `done_at` are when this driver set out and was done; null if the driver did not report it.
 * `fare` is the last one that was computed for the trip, in `fare_currency`; both are null if no tariff priced it.
 */
export const PaidTrip = Schema.Struct({
  trip_id: Value.id(TripId).stored,
  reference: Schema.String,
  trip_date: Schema.DateTimeUtc,
  duration_minutes: Schema.NullOr(Schema.Int),
  pickup_address: Schema.String,
  dropoff_address: Schema.String,
  currency: Value.currency.stored,
  total_minor: Schema.NullOr(Schema.Int),
  drivers: Schema.Array(Value.id(DriverId).stored),
  en_route_at: Schema.NullOr(Schema.DateTimeUtc),
  done_at: Schema.NullOr(Schema.DateTimeUtc),
  fare: Schema.NullOr(ComputedFare),
  fare_currency: Schema.NullOr(Value.currency.stored)
})
export type PaidTrip = typeof PaidTrip.Type

const amount = Schema.Finite

const PayLineRecord = Schema.Struct({
  step: Schema.Literals(["share", "hours", "flat", "minimum"]),
  rule: Schema.String,
  inputs: Schema.Record(Schema.String, Schema.Finite),
  of_amount: Schema.NullOr(amount),
  amount
})

/** A trip of a statement. `scheme` is the name of the scheme that paid it; null, and no lines, if none applies. */
const StatementTripRecord = Schema.Struct({
  trip_id: Value.id(TripId).wire,
  reference: Schema.String,
  trip_date: Value.instant.wire,
  pickup_at: Value.localTime.wire,
  pickup_address: Schema.String,
  dropoff_address: Schema.String,
  minutes: Schema.Int,
  drivers: Schema.Int,
  scheme: Schema.NullOr(Schema.String),
  currency: Value.currency.wire,
  lines: Schema.Array(PayLineRecord),
  total_amount: Value.amount.wire
})

const statementRecordStruct = Schema.Struct({
  driver_id: Value.id(DriverId).wire,
  name: Schema.String,
  from: Value.day.wire,
  to: Value.day.wire,
  timezone: Schema.String,
  trips: Schema.Array(StatementTripRecord),
  totals: Schema.Array(
    Schema.Struct({ currency: Value.currency.wire, trips: Schema.Int, total_amount: Value.amount.wire })
  )
})
type StatementRecordStruct = typeof statementRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface StatementRecordSchema extends StatementRecordStruct {}

/** A statement in a response; amounts in major units. `totals` has a row for each currency, in alphabetical order. */
export const StatementRecord: StatementRecordSchema = statementRecordStruct
export type StatementRecord = typeof StatementRecord.Type

// The amounts of a stored fare are whole minor units of its currency.
const minorOf = (major: number, currency: Currency) =>
  Option.getOrThrow(Money.fromMajor(major, currency)).minor

/**
 * The fare from whose lines shares are computed: that of the tariff, with its extra amount as a base line, or one base
 * line if the trip has another price or currency.
 */
const sharedFare = ({ currency, fare, fare_currency, total_minor }: PaidTrip): Fare => {
  const baseLine = (rule: string, minor: number): FareLine => ({
    step: "base",
    rule,
    name: null,
    inputs: {},
    of_minor: null,
    minor
  })
  const lines =
    fare !== null && fare_currency === currency && totalOfFare(fare, currency) === total_minor
      ? [
          ...fare.fare.lines.map(({ amount, inputs, name, of_amount, rule, step }) => ({
            step,
            rule,
            name,
            inputs,
            of_minor: of_amount === null ? null : minorOf(of_amount, currency),
            minor: minorOf(amount, currency)
          })),
          ...(fare.extra_amount === undefined
            ? []
            : [baseLine("extra", minorOf(fare.extra_amount, currency))])
        ]
      : [baseLine("price", total_minor ?? 0)]
  return {
    vehicle_class: fare?.fare.vehicle_class ?? "other",
    lines,
    total_minor: total_minor ?? 0,
    tax_minor: 0
  }
}

const minutesBetween = (from: DateTime.Utc, to: DateTime.Utc) =>
  Math.max(0, Math.ceil((to.epochMilliseconds - from.epochMilliseconds) / 60_000))

/** The minutes of work: from setting out to being done, else the planned duration. */
const minutesOf = ({ done_at, duration_minutes, en_route_at }: PaidTrip) =>
  en_route_at === null || done_at === null
    ? (duration_minutes ?? defaultDurationMinutes)
    : minutesBetween(en_route_at, done_at)

const payOf = (terms: DriverTerms, trip: PaidTrip, day: string) => {
  const scheme = schemeOf(terms, day, trip.currency)
  const none: DriverPay = { lines: [], total_minor: 0 }
  if (scheme === undefined) return { scheme: null, pay: none }
  const work = {
    minutes: minutesOf(trip),
    driver: trip.drivers.indexOf(terms.driver_id),
    drivers: trip.drivers.length
  }
  // A stored scheme was compiled before it was stored.
  const pay = Result.getOrThrow(compilePayScheme(scheme)).pay(sharedFare(trip), work)
  return { scheme: scheme.name, pay }
}

/** The statement of a driver over completed trips, which are given in the order of the statement. */
export const statementOf = (
  terms: DriverTerms,
  trips: ReadonlyArray<PaidTrip>,
  { from, to }: StatementQuery,
  timezone: string
): StatementRecord => {
  const rows = trips.map((trip) => {
    const pickup_at = wallClock(trip.trip_date, timezone)
    return { trip, pickup_at, ...payOf(terms, trip, pickup_at.slice(0, 10)) }
  })
  const currencies = [...new Set(trips.map(({ currency }) => currency))].toSorted()
  return {
    driver_id: terms.driver_id,
    name: terms.name,
    from,
    to,
    timezone,
    trips: rows.map(({ pay, pickup_at, scheme, trip }) => {
      const major = (minor: number) => Money.toMajor({ minor, currency: trip.currency })
      return {
        trip_id: trip.trip_id,
        reference: trip.reference,
        trip_date: rfc3339(trip.trip_date),
        pickup_at,
        pickup_address: trip.pickup_address,
        dropoff_address: trip.dropoff_address,
        minutes: minutesOf(trip),
        drivers: trip.drivers.length,
        scheme,
        currency: trip.currency,
        lines: pay.lines.map(({ inputs, minor, of_minor, rule, step }) => ({
          step,
          rule,
          inputs,
          of_amount: of_minor === null ? null : major(of_minor),
          amount: major(minor)
        })),
        total_amount: major(pay.total_minor)
      }
    }),
    totals: currencies.map((currency) => {
      const rowsOfCurrency = rows.filter(({ trip }) => trip.currency === currency)
      const minor = rowsOfCurrency.reduce((sum, { pay }) => sum + pay.total_minor, 0)
      return { currency, trips: rowsOfCurrency.length, total_amount: Money.toMajor({ minor, currency }) }
    })
  }
}
