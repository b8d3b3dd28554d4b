/** The base prices of a class in compiled form: amounts in minor units, distances in micrometres. */
import type { VehicleClass } from "../../kernel/VehicleClass.ts"
import type { FareStep } from "../rules/FareStep.ts"
import { type Fraction, fraction } from "./Fraction.ts"
import type { ClassRates, DayPrice, DistancePrice, FixedPrice, HourPrice } from "../rules/Rates.ts"
import { type CompiledRule, conditionalFirst, type TariffReader } from "./TariffReader.ts"

/**
 * The part that all base prices share. `includes` are the steps that the price covers, so they are not charged again.
 */
export interface CompiledBase extends CompiledRule {
  readonly includes: ReadonlySet<FareStep>
}

/** A price between two zones, given by their positions. */
export interface CompiledFixed extends CompiledBase {
  readonly from: number
  readonly to: number
  readonly oneWay: boolean
  readonly minor: number
}

/** An amount of `minor` for each `per` of distance between `start` and `end`; `end` is null if the tier has no end. */
export interface CompiledTier {
  readonly start: number
  readonly end: number | null
  readonly minor: number
  readonly per: number
}

/** A price by distance. */
export interface CompiledDistance extends CompiledBase {
  readonly base: number
  readonly tiers: ReadonlyArray<CompiledTier>
  readonly whole: boolean
  readonly started: boolean
  readonly minute: number
}

/** A number of minutes at one price. It includes `micrometres` of distance; null means any distance. */
export interface CompiledPackage {
  readonly minutes: number
  readonly price: Fraction
  readonly micrometres: Fraction | null
}

/** A price by hours: packages, and `hour` for further time; null if no further time can be booked. */
export interface CompiledHours extends CompiledBase {
  readonly packages: ReadonlyArray<CompiledPackage>
  readonly incrementMinutes: number
  readonly hour: number | null
  /** The distance that each hour beyond the package includes. */
  readonly hourMicrometres: number
  readonly extraUnit: number
}

/** A price by days. */
export interface CompiledDays extends CompiledBase {
  readonly minor: number
  readonly hours: number
  readonly micrometres: number | null
  readonly extraHour: number
  readonly extraUnit: number
}

/** The prices of a class. */
export interface CompiledClass {
  readonly vehicleClass: VehicleClass
  readonly maxPassengers: number
  readonly maxLuggage: number
  readonly fixed: ReadonlyArray<CompiledFixed>
  readonly distance: ReadonlyArray<CompiledDistance>
  readonly hours: ReadonlyArray<CompiledHours>
  readonly days: ReadonlyArray<CompiledDays>
}

type Compile<From, To> = (reader: TariffReader, path: string, price: From, subject: string) => To

const fixedPrice: Compile<FixedPrice, CompiledFixed> = (reader, path, price, subject) => {
  const oneWay = price.direction === "one_way"
  const pair = `${price.from}${oneWay ? ">" : "-"}${price.to}`
  return {
    ...reader.rule(path, price, `${subject}:${pair}`),
    includes: new Set(price.includes),
    from: reader.zone(`${path}.from`, price.from),
    to: reader.zone(`${path}.to`, price.to),
    oneWay,
    minor: reader.minor(`${path}.amount`, price.amount)
  }
}

const tiers = (reader: TariffReader, path: string, price: DistancePrice): ReadonlyArray<CompiledTier> => {
  let start = 0
  return price.tiers.map((tier, index) => {
    const at = `${path}.tiers.${index}`
    const end = tier.up_to === null ? null : reader.micrometres(tier.up_to)
    if (end === null && index < price.tiers.length - 1) reader.refuse(`${at}.up_to`, "required")
    if (end !== null && end <= start) reader.refuse(`${at}.up_to`, "out_of_range")
    const compiled = {
      start,
      end,
      minor: reader.minor(`${at}.amount`, tier.amount),
      per: reader.micrometres(tier.per)
    }
    start = end ?? start
    return compiled
  })
}

const distancePrice: Compile<DistancePrice, CompiledDistance> = (reader, path, price, subject) => ({
  ...reader.rule(path, price, subject),
  includes: new Set(price.includes),
  base: reader.minor(`${path}.base`, price.base),
  tiers: tiers(reader, path, price),
  whole: price.mode === "whole",
  started: price.started,
  minute: reader.minor(`${path}.per_minute`, price.per_minute)
})

/** A whole number of micrometres, as a fraction. */
const micros = (distance: number): Fraction => fraction(distance)

const hourPrice: Compile<HourPrice, CompiledHours> = (reader, path, price, subject) => {
  const hour = reader.minorOrNull(`${path}.per_hour`, price.per_hour)
  const extraUnit = reader.minor(`${path}.extra_distance`, price.extra_distance)
  const hourMicrometres =
    price.distance_per_hour === null ? null : reader.micrometres(price.distance_per_hour)
  if (hour === null && price.packages.length === 0) reader.refuse(`${path}.per_hour`, "required")
  if (price.packages.length > 0 && price.minimum_minutes > 0)
    reader.refuse(`${path}.minimum_minutes`, "invalid")
  // Refused, because one more hour would make the trip cheaper: its included distance would cost more than the hour.
  if (hour !== null && hourMicrometres !== null && extraUnit * hourMicrometres > hour * reader.micrometres(1))
    reader.refuse(`${path}.extra_distance`, "out_of_range")
  const minimum: CompiledPackage = {
    minutes: price.minimum_minutes,
    price: fraction(hour ?? 0, price.minimum_minutes, 60),
    micrometres: hourMicrometres === null ? null : fraction(hourMicrometres, price.minimum_minutes, 60)
  }
  return {
    ...reader.rule(path, price, subject),
    includes: new Set(price.includes),
    packages:
      price.packages.length === 0
        ? [minimum]
        : price.packages.map(({ amount, distance, minutes }, index) => ({
            minutes,
            price: fraction(reader.minor(`${path}.packages.${index}.amount`, amount)),
            micrometres: distance === null ? null : micros(reader.micrometres(distance))
          })),
    incrementMinutes: price.increment_minutes,
    hour,
    hourMicrometres: hourMicrometres ?? 0,
    extraUnit
  }
}

const dayPrice: Compile<DayPrice, CompiledDays> = (reader, path, price, subject) => {
  const minor = reader.minor(`${path}.amount`, price.amount)
  const extraUnit = reader.minor(`${path}.extra_distance`, price.extra_distance)
  const micrometres = price.distance === null ? null : reader.micrometres(price.distance)
  // Refused, because one more day would make the trip cheaper: its included distance would cost more than the day.
  if (micrometres !== null && extraUnit * micrometres > minor * reader.micrometres(1))
    reader.refuse(`${path}.extra_distance`, "out_of_range")
  return {
    ...reader.rule(path, price, subject),
    includes: new Set(price.includes),
    minor,
    hours: price.hours,
    micrometres,
    extraHour: reader.minor(`${path}.extra_hour`, price.extra_hour),
    extraUnit
  }
}

/** Compiles the prices of a class; `path` is their path in the tariff. */
export const compileClass = (reader: TariffReader, path: string, rates: ClassRates): CompiledClass => {
  const all = <From, To extends CompiledBase>(
    list: "fixed" | "distance" | "hours" | "days",
    prices: ReadonlyArray<From>,
    compile: Compile<From, To>
  ) =>
    conditionalFirst(
      prices.map((price, index) =>
        compile(reader, `${path}.${list}.${index}`, price, `${list}:${rates.vehicle_class}`)
      )
    )
  return {
    vehicleClass: rates.vehicle_class,
    maxPassengers: rates.max_passengers ?? Number.POSITIVE_INFINITY,
    maxLuggage: rates.max_luggage ?? Number.POSITIVE_INFINITY,
    fixed: all("fixed", rates.fixed, fixedPrice),
    distance: all("distance", rates.distance, distancePrice),
    hours: all("hours", rates.hours, hourPrice),
    days: all("days", rates.days, dayPrice)
  }
}
