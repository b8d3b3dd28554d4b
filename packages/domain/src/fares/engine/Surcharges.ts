/**
 * The surcharges of the ride itself, from the night to the luggage. The percentage of a cancellation applies to the
 * fare including them.
 */
import { type Bill, firstApplicable } from "./Bill.ts"
import { type CompiledModifiers, seatTypeKey } from "../compiled/CompiledModifiers.ts"
import type { FareLine } from "./Fare.ts"
import type { AddStep } from "./Completion.ts"

const amountLine = (
  step: FareLine["step"],
  { id, name }: { readonly id: string; readonly name: string | null },
  inputs: FareLine["inputs"],
  minor: number
): FareLine => ({ step, rule: id, name, inputs, of_minor: null, minor })

const atTime =
  (step: "night" | "dates"): AddStep =>
  (bill, modifiers, { context, inputs }) => {
    const rule = firstApplicable(modifiers[step], context)
    if (rule !== undefined) bill.charge(step, rule, baseOf(bill), { pickup_local: inputs.pickup_local })
  }

/** The sum of the base lines. */
const baseOf = (bill: Bill) =>
  bill.lines.reduce((sum, { minor, step }) => (step === "base" ? sum + minor : sum), 0)

/**
 * The fees at airports. The pickup or dropoff is at an airport if it is in an airport zone, names an airport, or the
 * type of the trip says so.
 */
const airport: AddStep = (bill, modifiers, { context, inputs, route, zones }) => {
  const ends = [
    ["pickup", route.pickup, "airport_arrival"],
    ["dropoff", route.dropoff, "airport_departure"]
  ] as const
  for (const [end, places, type] of ends) {
    const zone = [...places.keys()].find((index) => zones.isAirport(index))
    const any = zone !== undefined || inputs[end].airport !== null || inputs.trip_type === type
    const rule = modifiers.airport.find(
      (fee) => (fee.zone === null ? any : places.has(fee.zone)) && fee.applies(context)
    )
    if (rule === undefined) continue
    const at = rule.zone ?? zone
    bill.add(
      amountLine("airport", rule, { end, ...(at === undefined ? {} : { zone: zones.idOf(at) }) }, rule[end])
    )
  }
}

const meetAndGreet: AddStep = (bill, modifiers, { context, inputs }) => {
  const rule = inputs.meet_and_greet ? firstApplicable(modifiers.meetAndGreet, context) : undefined
  if (rule !== undefined) bill.add(amountLine("meet_and_greet", rule, {}, rule.minor))
}

const stops: AddStep = (bill, modifiers, { context, inputs: { stop_minutes } }) => {
  const rule = firstApplicable(modifiers.stops, context)
  if (rule === undefined || stop_minutes.length === 0) return
  const charged = Math.max(0, stop_minutes.length - rule.included)
  const minutes = stop_minutes.reduce((sum, at) => sum + Math.max(0, at - rule.freeMinutes), 0)
  bill.add(
    amountLine("stops", rule, { stops: charged, minutes }, charged * rule.minor + minutes * rule.minute)
  )
}

const childSeats: AddStep = (bill, modifiers, { context, inputs }) => {
  const counts = new Map<CompiledModifiers["childSeats"][number], number>()
  for (const { count, type } of inputs.child_seats) {
    const rule = modifiers.childSeats.find(
      ({ applies, types }) => (types === null || types.has(seatTypeKey(type))) && applies(context)
    )
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + count)
  }
  for (const [rule, seats] of counts) {
    const listed = rule.minors.slice(0, seats)
    const last = rule.minors.at(-1) ?? 0
    const minor = listed.reduce((sum, amount) => sum + amount, 0) + last * (seats - listed.length)
    bill.add(amountLine("child_seats", rule, { seats }, minor))
  }
}

const passengers: AddStep = (bill, modifiers, { context, inputs }) => {
  const count = inputs.passengers
  const rule = modifiers.passengers.find(
    ({ from, applies, to }) => count >= from && count <= to && applies(context)
  )
  if (rule === undefined) return
  const times = rule.each ? count - rule.from + 1 : 1
  const charge = "minor" in rule.charge ? { minor: rule.charge.minor * times } : rule.charge
  bill.charge("passengers", { ...rule, charge }, baseOf(bill), { passengers: count })
}

const luggage: AddStep = (bill, modifiers, { context, inputs }) => {
  const rule = firstApplicable(modifiers.luggage, context)
  const pieces = rule === undefined ? 0 : Math.max(0, inputs.luggage - rule.beyond)
  if (rule !== undefined) bill.add(amountLine("luggage", rule, { pieces }, pieces * rule.minor))
}

const steps = [
  ["night", atTime("night")],
  ["dates", atTime("dates")],
  ["airport", airport],
  ["meet_and_greet", meetAndGreet],
  ["stops", stops],
  ["child_seats", childSeats],
  ["passengers", passengers],
  ["luggage", luggage]
] as const

/** Adds the lines of the steps from `night` to `luggage`. */
export const addSurcharges: AddStep = (bill, modifiers, ride) => {
  for (const [step, add] of steps) if (bill.charges(step)) add(bill, modifiers, ride)
}
