/** Random steps, and the command that a step becomes in the current model. */
import { Schema } from "effect"
import type { Changes, Command } from "./Command.ts"
import { crewOf, isLive, isTerminal, type Model } from "./Model.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/**
 * `trip`, `driver` and `car` choose among the existing records, mostly among those in use. `lost` selects rare cases.
 * Common actions are acts of their own, so that they occur often.
 */
export const Step = Schema.Struct({
  act: Schema.Literals([
    "hire",
    "rest or return",
    "dismiss",
    "buy",
    "park or return",
    "sell",
    "book",
    "request",
    "duplicate",
    "retime",
    "give a car",
    "rename",
    "note",
    "set any status",
    "confirm",
    "complete",
    "cancel",
    "delete",
    "assign",
    "assign one more",
    "assign one less",
    "set off",
    "arrive",
    "drop out",
    "report",
    "pass a milestone",
    "set policy"
  ]),
  trip: upTo(3),
  driver: upTo(4),
  car: upTo(3),
  others: Schema.Array(upTo(4)).check(Schema.isMaxLength(3)),
  slot: upTo(4),
  by: Schema.Literals(["operator", "session", "token"]),
  status: Schema.Literals(["pending", "confirmed", "in_progress", "completed", "cancelled"]),
  progress: Schema.Literals(["en_route", "completed", "cancelled"]),
  milestone: Schema.Literals(["arrived_at_pickup", "passenger_on_board", "no_show"]),
  policy: Schema.Literals(["off", "warn", "enforce"]),
  yes: Schema.Boolean,
  lost: upTo(15)
})
export type Step = typeof Step.Type

/** The index of an absent record. */
const nowhere = -1

const placesOf = <A>(things: ReadonlyArray<A>, holds: (thing: A) => boolean) =>
  things.flatMap((thing, place) => (holds(thing) ? [place] : []))

/** One of the indexes, mostly one of `likely`, the records in use. */
const choose = (likely: ReadonlyArray<number>, all: number, choice: number, isAny: boolean) => {
  if (all === 0) return nowhere
  return isAny || likely.length === 0 ? choice % all : (likely[choice % likely.length] ?? nowhere)
}

/** A driver with a live assignment to the trip; undefined if it has none. */
const atWork = ({ trips }: Model, trip: number, choice: number) => {
  const live = trips[trip]?.parts.filter(isLive) ?? []
  return live[choice % Math.max(1, live.length)]?.driver
}

const changesOf = (step: Step, car: number | null): Changes => {
  switch (step.act) {
    case "retime":
      return step.yes ? { slot: step.slot } : { minutes: [null, 30, 90, 180, 240][step.slot] ?? null }
    case "give a car":
      return { car }
    case "rename":
      return { customer: ["Ada", "Grace", "Mary", "Joan", "Radia"][step.slot] ?? "Ada" }
    default:
      return step.yes
        ? { notes: ["back door", "two bags", null, "VIP", "wait"][step.slot] ?? null }
        : { amount: [null, 50, 120.5, 0, 99.99][step.slot] ?? null }
  }
}

/** The command of a step in a model. */
export const commandOf = (step: Step, model: Model): Command => {
  const { act, by, milestone, policy, progress, slot, status, yes } = step
  const isLost = (place: number) => step.lost === place
  const open = placesOf(model.trips, ({ deleted, status }) => !deleted && !isTerminal(status))
  const { cars, drivers, trips } = model
  const driverAt = (choice: number) =>
    choose(
      placesOf(drivers, ({ gone }) => !gone),
      drivers.length,
      choice,
      isLost(8)
    )
  const trip = isLost(0) ? nowhere : choose(open, trips.length, step.trip, isLost(8) || isLost(9))
  const driver = isLost(1) ? nowhere : driverAt(step.driver)
  const car = isLost(2)
    ? nowhere
    : choose(
        placesOf(cars, ({ gone }) => !gone),
        cars.length,
        step.car,
        isLost(8)
      )
  const crew = crewOf(model.trips[trip] ?? { parts: [] })
  const report = (status: typeof progress): Command => ({
    act: "report",
    trip,
    driver: atWork(model, trip, step.driver) ?? driver,
    by,
    status
  })
  switch (act) {
    case "hire":
      return { act: "hire", active: !isLost(3), confirmSeat: yes }
    case "rest or return":
      return {
        act: "change driver",
        driver,
        active: model.drivers[driver]?.active === isLost(4),
        confirmSeat: yes,
        force: !isLost(10)
      }
    case "dismiss":
      return { act: "dismiss", driver, force: yes }
    case "buy":
      return { act: "buy", active: !isLost(3) }
    case "park or return":
      return { act: "change car", car, active: model.cars[car]?.active === isLost(4) }
    case "sell":
      return { act: "sell", car, force: yes }
    case "book":
      return { act: "book", slot, minutes: isLost(5) ? 240 : null, car: yes ? null : car }
    case "request":
      return { act: "request", slot }
    case "duplicate":
      return { act: "duplicate", trip }
    case "retime":
    case "give a car":
    case "rename":
    case "note":
      return { act: "change", trip, changes: changesOf(step, yes ? null : car), force: isLost(6) }
    case "set any status":
      return { act: "set status", trip, status }
    case "confirm":
      return { act: "set status", trip, status: "confirmed" }
    case "complete":
      return { act: "set status", trip, status: "completed" }
    case "cancel":
      return {
        act: "set status",
        trip,
        status: "cancelled",
        ...(yes ? { reason: "no_driver" } : {}),
        ...(isLost(7) ? { fee: 25 } : {})
      }
    case "delete":
      return { act: "delete", trip, force: yes }
    case "assign": {
      const wanted = step.others.map(driverAt)
      return { act: "assign", trip, drivers: isLost(1) ? [...wanted, nowhere] : wanted, force: isLost(10) }
    }
    case "assign one more":
      return { act: "assign", trip, drivers: [...crew, driver], force: isLost(10) }
    case "assign one less":
      return {
        act: "assign",
        trip,
        drivers: crew.toSpliced(step.driver % Math.max(1, crew.length), 1),
        force: yes
      }
    case "set off":
      return report("en_route")
    case "arrive":
      return report("completed")
    case "drop out":
      return report("cancelled")
    case "report":
      return { act: "report", trip, driver, by, status: progress }
    case "pass a milestone":
      return {
        act: "report",
        trip,
        driver: atWork(model, trip, step.driver) ?? driver,
        by,
        milestone,
        ...(yes ? {} : { status: progress })
      }
    case "set policy":
      return { act: "set policy", policy }
  }
}

/** The commands before each sequence: two drivers, a trip of both and a trip of one of them. */
export const prelude = (policy: Step["policy"] = "warn"): ReadonlyArray<Command> => [
  { act: "set policy", policy },
  { act: "hire", active: true, confirmSeat: false },
  { act: "hire", active: true, confirmSeat: false },
  { act: "buy", active: true },
  { act: "book", slot: 0, minutes: null, car: null },
  { act: "book", slot: 4, minutes: null, car: 0 },
  { act: "assign", trip: 0, drivers: [0, 1], force: false },
  { act: "assign", trip: 1, drivers: [0], force: false }
]
