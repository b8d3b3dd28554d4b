/**
 * Fares by the rules of `docs/api/fare-rules.md`, written without the engine, for comparison with it. All sums are exact fractions,
 * and nothing is compiled. Zones are those of postal codes, of which a place is in one at most.
 */
import { exponentOf, type FareInputs, type FareStep, type Tariff } from "@livery/domain"

/** A fraction: numerator and positive denominator. */
type Exact = readonly [bigint, bigint]

const whole = (value: bigint | number): Exact => [BigInt(value), 1n]
const plus = ([a, b]: Exact, [c, d]: Exact): Exact => [a * d + c * b, b * d]
const minus = (one: Exact, [c, d]: Exact): Exact => plus(one, [-c, d])
const times = ([a, b]: Exact, [c, d]: Exact): Exact => [a * c, b * d]
const over = ([a, b]: Exact, [c, d]: Exact): Exact => [a * d, b * c]
const isLess = ([a, b]: Exact, [c, d]: Exact) => a * d < c * b
const smaller = (one: Exact, other: Exact) => (isLess(other, one) ? other : one)
const larger = (one: bigint, other: bigint) => (one > other ? one : other)
const above = ([numerator, denominator]: Exact) =>
  numerator / denominator + (numerator > 0n && numerator % denominator !== 0n ? 1n : 0n)

/** The nearest whole number, halves away from zero. */
const rounded = ([numerator, denominator]: Exact): bigint => {
  const size = (2n * (numerator < 0n ? -numerator : numerator) + denominator) / (2n * denominator)
  return numerator < 0n ? -size : size
}

/** The exact value of a number with few decimals. */
const exact = (value: number): Exact => {
  const [units = "", decimals = ""] = value.toFixed(6).split(".")
  return [BigInt(units + decimals), 1_000_000n]
}

type Windows = Tariff["classes"][number]["fixed"][number]["when"]

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const

/** Whether a local time, `YYYY-MM-DD HH:MM:SS`, is in one of the windows. The random windows have no dates. */
const isWithin = (windows: Windows, local: string) => {
  const time = local.slice(11, 16)
  const today = new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay()
  return (
    windows.length === 0 ||
    windows.some(({ from, to, weekdays: days }) => {
      const start = from ?? "00:00"
      const end = to ?? "24:00"
      const isOn = (day: number) =>
        days.length === 0 || days.some((name) => weekdays.indexOf(name) === day % 7)
      return start < end
        ? time >= start && time < end && isOn(today)
        : (time >= start && isOn(today)) || (time < end && isOn(today + 6))
    })
  )
}

interface Conditions {
  readonly when: Windows
  readonly trip_types: ReadonlyArray<string>
  readonly classes?: ReadonlyArray<string>
}

/** The amounts of a fare by step, in minor units, and the tax that it contains; or the reason why there is no fare. */
export type ReferenceFare =
  | { readonly steps: ReadonlyMap<FareStep, bigint>; readonly total: bigint; readonly tax: bigint }
  | { readonly reason: string }

/** A tariff with modifiers, whose lists may be empty. */
type PricedTariff = Tariff & { readonly modifiers: NonNullable<Tariff["modifiers"]> }

/** The fare of a trip in a class of a tariff. */
export const referenceFare = (
  { classes, currency, distance_unit, modifiers, zones }: PricedTariff,
  vehicleClass: string,
  trip: FareInputs
): ReferenceFare => {
  const prices = classes.find(({ vehicle_class }) => vehicle_class === vehicleClass)
  if (prices === undefined) return { reason: "no_price" }
  if (trip.outcome === "waived") return { steps: new Map(), total: 0n, tax: 0n }

  const unit = distance_unit === "mi" ? exact(1609.344) : whole(1000)
  const minor = (major: number) => times(exact(major), whole(10 ** exponentOf(currency)))
  const amountOf = (major: number) => rounded(minor(major))
  const percentOf = (amount: bigint, percent: number) =>
    rounded(times(whole(amount), over(exact(percent), whole(100))))

  const fits = ({ classes: held = [], trip_types, when }: Conditions) =>
    isWithin(when, trip.pickup_local) &&
    (held.length === 0 || held.includes(vehicleClass)) &&
    (trip_types.length === 0 || trip_types.includes(trip.trip_type))
  const isSpecial = ({ classes: held = [], trip_types, when }: Conditions) =>
    held.length + trip_types.length + when.length > 0
  /** The rules that match: those with conditions first, then in their order. */
  const matching = <Rule extends Conditions>(rules: ReadonlyArray<Rule>) => {
    const found = rules.filter(fits)
    return [...found.filter(isSpecial), ...found.filter((rule) => !isSpecial(rule))]
  }

  const zoneOf = ({ postal_code }: FareInputs["pickup"]) =>
    zones.find(({ prefixes }) => prefixes.some((prefix) => postal_code?.startsWith(prefix)))?.id ?? null
  const pickup = zoneOf(trip.pickup)
  const dropoff = zoneOf(trip.dropoff)

  interface Base {
    readonly price: Exact
    readonly includes: ReadonlyArray<FareStep>
  }

  const byRoute = (from: string | null, to: string | null): Base | string => {
    const fixed = matching(prices.fixed).find(
      (price) =>
        (price.from === from && price.to === to) ||
        (price.direction === "either" && price.from === to && price.to === from)
    )
    if (fixed !== undefined) return { price: minor(fixed.amount), includes: fixed.includes }
    const candidates = matching(prices.distance)
    if (candidates.length === 0) return "no_price"
    if (trip.distance_m === null) return "distance_unknown"
    const distance = whole(trip.distance_m)
    const metresOf = (units: number) => times(exact(units), unit)
    const reaches = (end: number | null) => end === null || !isLess(metresOf(end), distance)
    const found = candidates.find(({ tiers }) => reaches(tiers.at(-1)?.up_to ?? null))
    if (found === undefined) return "no_price"
    const { base, includes, mode, per_minute, started, tiers } = found
    const priceOf = ({ amount, per }: (typeof tiers)[number], metres: Exact) => {
      const periods = over(metres, metresOf(per))
      return times(minor(amount), started ? whole(above(periods)) : periods)
    }
    let price = minor(base)
    let start = whole(0)
    for (const tier of tiers) {
      const end = tier.up_to === null ? distance : smaller(metresOf(tier.up_to), distance)
      if (mode === "whole") {
        if (!reaches(tier.up_to)) continue
        price = plus(price, priceOf(tier, distance))
        break
      }
      if (isLess(start, end)) price = plus(price, priceOf(tier, minus(end, start)))
      start = end
    }
    if (per_minute > 0 && trip.duration_minutes === null) return "duration_unknown"
    return { price: plus(price, times(minor(per_minute), whole(trip.duration_minutes ?? 0))), includes }
  }

  const byTime = (): Base | string => {
    const [hours] = matching(prices.hours)
    const [days] = matching(prices.days)
    if (hours === undefined && days === undefined) return "no_price"
    if (trip.duration_minutes === null) return "duration_unknown"
    const booked = trip.duration_minutes
    const offers: Array<Base> = []
    const further = (included: Exact | null, price: number) => {
      if (included === null) return whole(0)
      const beyond = minus(over(whole(trip.distance_m ?? 0), unit), included)
      return isLess(whole(0), beyond) ? times(beyond, minor(price)) : whole(0)
    }
    if (hours !== undefined) {
      const { distance_per_hour, extra_distance, includes, increment_minutes, minimum_minutes, per_hour } =
        hours
      const ofHours = (perHour: number, minutes: number) => times(exact(perHour), [BigInt(minutes), 60n])
      const minimum = {
        minutes: minimum_minutes,
        price: times(minor(1), ofHours(per_hour ?? 0, minimum_minutes)),
        distance: distance_per_hour === null ? null : ofHours(distance_per_hour, minimum_minutes)
      }
      const packages = hours.packages.map(({ amount, distance, minutes }) => ({
        minutes,
        price: minor(amount),
        distance: distance === null ? null : exact(distance)
      }))
      for (const { distance, minutes, price } of packages.length === 0 ? [minimum] : packages) {
        const more = Math.ceil(Math.max(0, booked - minutes) / increment_minutes) * increment_minutes
        if (more > 0 && per_hour === null) continue
        const included = distance === null ? null : plus(distance, ofHours(distance_per_hour ?? 0, more))
        const time = plus(price, times(minor(1), ofHours(per_hour ?? 0, more)))
        offers.push({ price: plus(time, further(included, extra_distance)), includes })
      }
    }
    if (days !== undefined) {
      const count = Math.ceil(booked / 1440)
      const beyond = (minutes: number) => Math.max(0, Math.ceil(minutes / 60) - days.hours)
      const extraHours = (count - 1) * beyond(1440) + beyond(booked - (count - 1) * 1440)
      const time = plus(
        times(minor(days.amount), whole(count)),
        times(minor(days.extra_hour), whole(extraHours))
      )
      const included = days.distance === null ? null : times(exact(days.distance), whole(count))
      offers.push({ price: plus(time, further(included, days.extra_distance)), includes: days.includes })
    }
    return offers.length === 0
      ? "no_price"
      : offers.reduce((best, next) => (rounded(next.price) < rounded(best.price) ? next : best))
  }

  const roundTrip = (): Base | string => {
    const there = byRoute(pickup, dropoff)
    const back = byRoute(dropoff, pickup)
    if (typeof there === "string") return there
    if (typeof back === "string") return back
    return {
      price: whole(rounded(there.price) + rounded(back.price)),
      includes: there.includes.filter((step) => back.includes.includes(step))
    }
  }

  const base =
    trip.trip_type === "hourly" || trip.trip_type === "event"
      ? byTime()
      : trip.trip_type === "round_trip"
        ? roundTrip()
        : byRoute(pickup, dropoff)
  if (typeof base === "string") return { reason: base }

  const steps = new Map<FareStep, bigint>()
  const add = (step: FareStep, amount: bigint) => steps.set(step, (steps.get(step) ?? 0n) + amount)
  const sum = (...except: ReadonlyArray<FareStep>) =>
    [...steps].reduce((total, [step, amount]) => (except.includes(step) ? total : total + amount), 0n)
  const included = (step: FareStep) => base.includes.includes(step)
  const ruleOf = <Rule extends Conditions>(step: FareStep, rules: ReadonlyArray<Rule>) =>
    included(step) ? undefined : matching(rules)[0]
  const chargeOf = (
    { amount, percent }: { readonly percent: number | null; readonly amount: number | null },
    of: bigint
  ) => (percent === null ? amountOf(amount ?? 0) : percentOf(of, percent))

  const basePrice = rounded(base.price)
  add("base", basePrice)
  for (const step of ["night", "dates"] as const) {
    const rule = ruleOf(step, modifiers[step])
    if (rule !== undefined) add(step, larger(chargeOf(rule, basePrice), -sum()))
  }
  const airport = ruleOf("airport", modifiers.airport)
  if (airport !== undefined && trip.trip_type === "airport_arrival") add("airport", amountOf(airport.pickup))
  if (airport !== undefined && trip.trip_type === "airport_departure")
    add("airport", amountOf(airport.dropoff))
  const greeting = ruleOf("meet_and_greet", modifiers.meet_and_greet)
  if (greeting !== undefined && trip.meet_and_greet) add("meet_and_greet", amountOf(greeting.amount))
  const stops = ruleOf("stops", modifiers.stops)
  if (stops !== undefined) {
    add("stops", amountOf(stops.amount) * BigInt(Math.max(0, trip.stop_minutes.length - stops.included)))
    for (const minutes of trip.stop_minutes)
      add("stops", amountOf(stops.per_minute) * BigInt(Math.max(0, minutes - stops.free_minutes)))
  }
  const seats = ruleOf("child_seats", modifiers.child_seats)
  const seatCount = trip.child_seats.reduce((total, { count }) => total + count, 0)
  if (seats !== undefined)
    for (let seat = 0; seat < seatCount; seat++)
      add("child_seats", amountOf(seats.amounts[Math.min(seat, seats.amounts.length - 1)] ?? 0))
  const passengers = ruleOf("passengers", modifiers.passengers)
  if (passengers !== undefined && trip.passengers >= passengers.from)
    add("passengers", chargeOf(passengers, basePrice))
  const luggage = ruleOf("luggage", modifiers.luggage)
  if (luggage !== undefined)
    add("luggage", amountOf(luggage.amount) * BigInt(Math.max(0, trip.luggage - luggage.beyond)))

  const minimum = amountOf(ruleOf("minimum", modifiers.minimum)?.amount ?? 0)
  const ride = larger(sum(), minimum)
  const wait = () => {
    const waiting = ruleOf("waiting", modifiers.waiting)
    if (waiting === undefined) return
    const periods = Math.ceil(Math.max(0, trip.waiting_minutes - waiting.free_minutes) / waiting.per_minutes)
    add("waiting", amountOf(waiting.amount) * BigInt(periods))
  }
  switch (trip.outcome) {
    case "ride": {
      wait()
      const joins = (
        toll: (typeof modifiers.tolls)[number],
        start: string | null,
        end: string | null
      ): boolean => (toll.from ?? start) === start && (toll.to ?? end) === end
      const isOn = (toll: (typeof modifiers.tolls)[number], start: string | null, end: string | null) =>
        joins(toll, start, end) || (toll.direction === "either" && joins(toll, end, start))
      for (const toll of included("tolls") ? [] : modifiers.tolls.filter(fits)) {
        if (isOn(toll, pickup, dropoff)) add("tolls", amountOf(toll.amount))
        if (trip.trip_type === "round_trip" && isOn(toll, dropoff, pickup))
          add("tolls", amountOf(toll.amount))
      }
      add("tolls", BigInt(trip.tolls_minor))
      const gratuity = ruleOf("gratuity", modifiers.gratuity)
      if (gratuity !== undefined) add("gratuity", chargeOf(gratuity, sum("tolls")))
      add("minimum", larger(0n, minimum - sum("tolls", "gratuity")))
      break
    }
    case "cancelled": {
      steps.clear()
      const { days, minutes } = trip.notice ?? { days: 0, minutes: 0 }
      for (const step of ruleOf("late_cancellation", modifiers.late_cancellation)?.steps ?? [])
        if (
          (step.within_minutes !== null && minutes < step.within_minutes) ||
          (step.within_days !== null && days <= step.within_days)
        )
          steps.set("late_cancellation", larger(steps.get("late_cancellation") ?? 0n, chargeOf(step, ride)))
      break
    }
    case "no_show": {
      steps.clear()
      wait()
      add("tolls", BigInt(trip.tolls_minor))
      const rule = ruleOf("no_show", modifiers.no_show)
      if (!included("no_show")) add("no_show", rule === undefined ? ride : chargeOf(rule, ride))
    }
  }

  if (modifiers.rounding !== null && !included("rounding")) {
    const { mode, to } = modifiers.rounding
    const before = sum()
    const multiple: Exact = [before, amountOf(to)]
    const count =
      mode === "up" ? above(multiple) : mode === "down" ? before / amountOf(to) : rounded(multiple)
    add("rounding", count * amountOf(to) - before)
  }
  let tax = 0n
  if (modifiers.tax !== null && !included("tax")) {
    const { exempt, included: isContained, rates } = modifiers.tax
    const taxable = whole(exempt.length === 0 ? sum() : sum(...exempt, "rounding"))
    const together = rates.reduce(
      (total, { percent }) => plus(total, exact(percent)),
      whole(isContained ? 100 : 0)
    )
    for (const { percent } of rates)
      tax += rounded(over(times(taxable, exact(percent)), isContained ? together : whole(100)))
    if (!isContained) add("tax", tax)
  }
  return { steps: new Map([...steps].filter(([, amount]) => amount !== 0n)), total: sum(), tax }
}
