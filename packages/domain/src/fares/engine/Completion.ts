/** The steps after the ride itself: waiting, tolls, gratuity, cancellation, the minimum, rounding and tax. */
import { type Bill, makeBill, firstApplicable } from "./Bill.ts"
import type { Charge, CompiledCancellation, CompiledModifiers } from "../compiled/CompiledModifiers.ts"
import type { CancellationNotice } from "./FareInputs.ts"
import type { FareStep } from "../rules/FareStep.ts"
import { containedPercent, percentOf } from "../compiled/Fraction.ts"
import type { ArrivalKind } from "../../trips/trip/RideInputs.ts"
import type { Ride, RouteZones } from "./Ride.ts"

/** Adds the lines of one step to a bill. */
export type AddStep = (bill: Bill, modifiers: CompiledModifiers, ride: Ride) => void

/** A waiting rule for `flight` applies to domestic and international flights. */
const kindsOf = (arrival: ArrivalKind): ReadonlyArray<ArrivalKind> =>
  arrival === "domestic_flight" || arrival === "international_flight" ? [arrival, "flight"] : [arrival]

const waitingRule = ({ waiting }: CompiledModifiers, { context, inputs }: Ride) => {
  const applying = waiting.filter((rule) => rule.applies(context))
  for (const kind of kindsOf(inputs.arrival)) {
    const rule = applying.find(({ arrivals }) => arrivals?.has(kind) === true)
    if (rule !== undefined) return rule
  }
  return applying.find(({ arrivals }) => arrivals === null)
}

const addWaiting: AddStep = (bill, modifiers, ride) => {
  const rule = bill.charges("waiting") ? waitingRule(modifiers, ride) : undefined
  if (rule === undefined) return
  const minutes = Math.max(0, ride.inputs.waiting_minutes - rule.freeMinutes)
  const periods = Math.ceil(minutes / rule.perMinutes)
  bill.add({
    step: "waiting",
    rule: rule.id,
    name: rule.name,
    inputs: { waiting_minutes: ride.inputs.waiting_minutes, periods },
    of_minor: null,
    minor: periods * rule.minor
  })
}

/** Whether a route passes between the zones of a toll. */
const passes = (
  { from, oneWay, to }: CompiledModifiers["tolls"][number],
  { dropoff, pickup }: RouteZones
) => {
  const within = (places: RouteZones["pickup"], zone: number | null) => zone === null || places.has(zone)
  const isOutbound = within(pickup, from) && within(dropoff, to)
  return isOutbound || (!oneWay && within(pickup, to) && within(dropoff, from))
}

/** The id of the line for tolls at cost, for which the tariff has no rule. */
const tollsAtCost = "tolls:at_cost"

const addTollsAtCost = (bill: Bill, { inputs }: Ride) =>
  bill.add({
    step: "tolls",
    rule: tollsAtCost,
    name: null,
    inputs: {},
    of_minor: null,
    minor: inputs.tolls_minor
  })

/** The tolls of the tariff that a ride passes, in order; those of a round trip's way back follow those of its way there. */
const passedTolls = ({ tolls }: CompiledModifiers, { context, inputs, route }: Ride) => {
  const back = { pickup: route.dropoff, dropoff: route.pickup }
  const routes = inputs.trip_type === "round_trip" ? [route, back] : [route]
  return routes.flatMap((each) => tolls.filter((toll) => passes(toll, each) && toll.applies(context)))
}

const addTolls: AddStep = (bill, modifiers, ride) => {
  const passed = bill.charges("tolls") ? passedTolls(modifiers, ride) : []
  for (const { id, minor, name } of passed)
    bill.add({ step: "tolls", rule: id, name, inputs: {}, of_minor: null, minor })
  addTollsAtCost(bill, ride)
}

const tolls: ReadonlySet<FareStep> = new Set(["tolls"])
const tollsAndGratuity: ReadonlySet<FareStep> = new Set(["tolls", "gratuity"])

const addGratuity: AddStep = (bill, modifiers, { context }) => {
  const rule = bill.charges("gratuity") ? firstApplicable(modifiers.gratuity, context) : undefined
  if (rule !== undefined) bill.charge("gratuity", rule, bill.sum(tolls), {})
}

const minimumRule = (bill: Bill, { minimum }: CompiledModifiers, { context }: Ride) =>
  bill.charges("minimum") ? firstApplicable(minimum, context) : undefined

const addMinimum: AddStep = (bill, modifiers, ride) => {
  const rule = minimumRule(bill, modifiers, ride)
  const lacking = rule === undefined ? 0 : rule.minor - bill.sum(tollsAndGratuity)
  if (rule !== undefined && lacking > 0)
    bill.add({
      step: "minimum",
      rule: rule.id,
      name: rule.name,
      inputs: {},
      of_minor: rule.minor,
      minor: lacking
    })
}

const appliesAtNotice = ({ withinDays, withinMinutes }: CompiledCancellation, notice: CancellationNotice) =>
  withinMinutes === null ? withinDays !== null && notice.days <= withinDays : notice.minutes < withinMinutes

const costOf = (charge: Charge, ride: number) =>
  "percent" in charge ? percentOf(ride, charge.percent) : charge.minor

/** The price of the ride without waiting, tolls and gratuity, raised to the minimum. */
const ridePriceOf = (bill: Bill, modifiers: CompiledModifiers, ride: Ride) =>
  Math.max(bill.sum(), minimumRule(bill, modifiers, ride)?.minor ?? 0)

const addCancellation = (bill: Bill, modifiers: CompiledModifiers, ride: Ride, ridePrice: number) => {
  if (!bill.charges("late_cancellation")) return
  const rule = firstApplicable(modifiers.lateCancellation, ride.context)
  const { notice } = ride.inputs
  if (rule === undefined || notice === null) return
  const mostExpensive = rule.steps
    .filter((step) => appliesAtNotice(step, notice))
    .reduce<CompiledCancellation | null>(
      (most, step) =>
        most === null || costOf(step.charge, ridePrice) > costOf(most.charge, ridePrice) ? step : most,
      null
    )
  if (mostExpensive === null) return
  const inputs = { notice_minutes: notice.minutes, notice_days: notice.days }
  bill.charge("late_cancellation", { ...rule, charge: mostExpensive.charge }, ridePrice, inputs)
}

/** The default for a no-show: the customer pays the whole ride if no rule applies. */
const wholeRide = {
  id: "no_show:whole_ride",
  name: null,
  conditional: false,
  applies: () => true,
  charge: { percent: 100 }
}

const addNoShow = (bill: Bill, modifiers: CompiledModifiers, ride: Ride, ridePrice: number) => {
  if (bill.charges("no_show"))
    bill.charge("no_show", firstApplicable(modifiers.noShow, ride.context) ?? wholeRide, ridePrice, {})
}

/** The difference to the multiple. `nearest` rounds halves up, away from zero, as all rounding does. */
const roundingDifference = (sum: number, { minor, mode }: NonNullable<CompiledModifiers["rounding"]>) => {
  const beyond = sum % minor
  const up = mode === "up" ? beyond > 0 : mode === "nearest" && beyond * 2 >= minor
  return up ? minor - beyond : -beyond
}

const addRounding: AddStep = (bill, { rounding }) => {
  if (rounding === null || !bill.charges("rounding")) return
  const sum = bill.sum()
  const minor = roundingDifference(sum, rounding)
  bill.add({ step: "rounding", rule: rounding.id, name: null, inputs: {}, of_minor: sum, minor })
}

/** Adds the taxes that the prices do not include. Returns the total tax, included or added. */
const addTax = (bill: Bill, { tax }: CompiledModifiers): number => {
  if (tax === null || !bill.charges("tax")) return 0
  const taxed = bill.sum(tax.exempt)
  const totalPercent = tax.rates.reduce((sum, { percent }) => sum + percent, 0)
  let taxes = 0
  for (const { id, name, percent } of tax.rates) {
    const minor = tax.included ? containedPercent(taxed, percent, totalPercent) : percentOf(taxed, percent)
    taxes += minor
    if (!tax.included) bill.add({ step: "tax", rule: id, name, inputs: { percent }, of_minor: taxed, minor })
  }
  return taxes
}

/** A finished fare: its bill, and the tax that it contains. */
export interface CompletedBill {
  readonly bill: Bill
  readonly tax: number
}

/**
 * Finishes the bill of a ride. A cancelled trip is charged its fee only; a no-show its fee, waiting and tolls at cost;
 * a waived cancellation nothing. Rounding and tax apply to the result in every case.
 */
export const complete = (ride: Ride, modifiers: CompiledModifiers, ridden: Bill): CompletedBill => {
  const { outcome } = ride.inputs
  if (outcome === "ride") {
    addWaiting(ridden, modifiers, ride)
    addTolls(ridden, modifiers, ride)
    addGratuity(ridden, modifiers, ride)
    addMinimum(ridden, modifiers, ride)
  }
  const bill = outcome === "ride" ? ridden : makeBill([], ridden.includes)
  if (outcome === "cancelled") addCancellation(bill, modifiers, ride, ridePriceOf(ridden, modifiers, ride))
  if (outcome === "no_show") {
    addWaiting(bill, modifiers, ride)
    addTollsAtCost(bill, ride)
    addNoShow(bill, modifiers, ride, ridePriceOf(ridden, modifiers, ride))
  }
  addRounding(bill, modifiers, ride)
  return { bill, tax: addTax(bill, modifiers) }
}
