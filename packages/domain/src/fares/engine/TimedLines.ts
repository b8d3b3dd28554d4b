/**
 * Prices by time. Of the first hour price and the first day price that apply, and of the packages of hours, the
 * cheapest that covers the booking is used, so that one more hour or kilometre never makes a booking cheaper.
 */
import type {
  CompiledClass,
  CompiledDays,
  CompiledHours,
  CompiledPackage
} from "../compiled/CompiledRates.ts"
import type { NoFareReason } from "./Fare.ts"
import type { FareStep } from "../rules/FareStep.ts"
import { type Fraction, fraction, zero, plus, rounded } from "../compiled/Fraction.ts"
import { type BasePrice, linesOf, microsAMetre, type Part, type Ride } from "./Ride.ts"

const minutesADay = 1440

interface Candidate {
  readonly rule: {
    readonly id: string
    readonly name: string | null
    readonly includes: ReadonlySet<FareStep>
  }
  readonly parts: ReadonlyArray<Part>
  readonly minor: number
}

interface BookedTime {
  readonly minutes: number
  /** Micrometres; an unknown distance counts as 0, so that it costs nothing extra. */
  readonly distance: number
  /** Micrometres in the unit of distance. */
  readonly unit: number
}

const candidate = (rule: Candidate["rule"], parts: ReadonlyArray<Part>): Candidate => ({
  rule,
  parts,
  minor: rounded(parts.reduce((sum, { price }) => plus(sum, price), zero))
})

/** The price of the distance beyond the included one, at `extraUnit` per unit. */
const extraDistance = (
  { distance, unit }: BookedTime,
  included: Fraction | null,
  extraUnit: number
): ReadonlyArray<Part> => {
  if (included === null || extraUnit === 0) return []
  const { denominator, numerator } = included
  const beyond = BigInt(distance) * denominator - numerator
  if (beyond <= 0n) return []
  return [
    {
      inputs: { extra_distance_m: Number(beyond / denominator) / microsAMetre },
      price: { numerator: BigInt(extraUnit) * beyond, denominator: denominator * BigInt(unit) }
    }
  ]
}

const packagePrice = (
  hours: CompiledHours,
  chosen: CompiledPackage,
  booking: BookedTime
): Candidate | null => {
  const { extraUnit, hour, hourMicrometres, incrementMinutes } = hours
  const increments = Math.ceil(Math.max(0, booking.minutes - chosen.minutes) / incrementMinutes)
  if (increments > 0 && hour === null) return null
  const extraMinutes = increments * incrementMinutes
  const included =
    chosen.micrometres === null ? null : plus(chosen.micrometres, fraction(hourMicrometres, extraMinutes, 60))
  return candidate(hours, [
    ...(chosen.minutes > 0 ? [{ inputs: { minutes: chosen.minutes }, price: chosen.price }] : []),
    ...(extraMinutes > 0
      ? [{ inputs: { extra_minutes: extraMinutes }, price: fraction(hour ?? 0, extraMinutes, 60) }]
      : []),
    ...extraDistance(booking, included, extraUnit)
  ])
}

const dayPrice = (days: CompiledDays, booking: BookedTime): Candidate => {
  const count = Math.max(1, Math.ceil(booking.minutes / minutesADay))
  const lastDay = booking.minutes - (count - 1) * minutesADay
  const beyond = (minutes: number) => Math.max(0, Math.ceil(minutes / 60) - days.hours)
  const extraHours = (count - 1) * beyond(minutesADay) + beyond(lastDay)
  const included = days.micrometres === null ? null : fraction(days.micrometres, count)
  return candidate(days, [
    { inputs: { days: count }, price: fraction(days.minor, count) },
    ...(days.extraHour > 0 && extraHours > 0
      ? [{ inputs: { extra_hours: extraHours }, price: fraction(days.extraHour, extraHours) }]
      : []),
    ...extraDistance(booking, included, days.extraUnit)
  ])
}

/**
 * The lines of the cheapest price by time, or the reason why there is none. If two cost the same, hours come before
 * days, and earlier packages before later ones.
 */
export const timedLines = (
  prices: CompiledClass,
  { context, inputs, unit }: Ride
): BasePrice | NoFareReason => {
  const hours = prices.hours.find((price) => price.applies(context))
  const days = prices.days.find((price) => price.applies(context))
  if (hours === undefined && days === undefined) return "no_price"
  if (inputs.duration_minutes === null) return "duration_unknown"
  const booking = {
    minutes: inputs.duration_minutes,
    distance: (inputs.distance_m ?? 0) * microsAMetre,
    unit
  }
  const candidates = [
    ...(hours === undefined ? [] : hours.packages.map((chosen) => packagePrice(hours, chosen, booking))),
    ...(days === undefined ? [] : [dayPrice(days, booking)])
  ].filter((price) => price !== null)
  const [first, ...others] = candidates
  if (first === undefined) return "no_price"
  const cheapest = others.reduce((best, next) => (next.minor < best.minor ? next : best), first)
  return { lines: linesOf(cheapest.rule, cheapest.parts), includes: cheapest.rule.includes }
}
