/** The rules of drivers and cars within the plan's limits (decisions, Plans; specification, Errors). */
import { type Answer, type Command, confirmation, done, notFound, type Outcome, refused } from "./Command.ts"
import { withTrip } from "./TripRules.ts"
import {
  activeOf,
  allowance,
  isLive,
  isTerminal,
  replaced,
  type Resource,
  type Trip,
  type Model
} from "./Model.ts"

const refusal = (model: Model, answer: Answer): Outcome<Model> => ({ model, answer, events: [] })
const accepted = (model: Model): Outcome<Model> => ({ model, answer: done(), events: [] })

const seatWanted = refused("plan_limit_exceeded")
const noMoreCars = refused("usage_limit_reached")

const present = (resources: ReadonlyArray<Resource>, at: number): Resource | undefined => {
  const found = resources[at]
  return found === undefined || found.gone ? undefined : found
}

/** A driver beyond the plan's limit needs a seat that the request confirms. */
const isDriverAllowed = ({ drivers }: Model, confirmSeat: boolean) =>
  confirmSeat || activeOf(drivers) < allowance.drivers

const isCarAllowed = ({ cars }: Model) => activeOf(cars) < allowance.cars

export const hire = (model: Model, command: Extract<Command, { act: "hire" }>): Outcome<Model> => {
  const { active, confirmSeat } = command
  if (active && !isDriverAllowed(model, confirmSeat)) return refusal(model, seatWanted)
  return accepted({ ...model, drivers: [...model.drivers, { active, gone: false }] })
}

const isAtStake = (trip: Trip, refers: (trip: Trip) => boolean) =>
  !trip.deleted && !isTerminal(trip.status) && refers(trip)

const hasLive =
  (driver: number) =>
  ({ parts }: Trip) =>
    parts.some((part) => part.driver === driver && isLive(part))

export const changeDriver = (
  model: Model,
  { active, confirmSeat, driver: at, force }: Extract<Command, { act: "change driver" }>
): Outcome<Model> => {
  const driver = present(model.drivers, at)
  if (driver === undefined) return refusal(model, notFound)
  if (active && !driver.active && !isDriverAllowed(model, confirmSeat)) return refusal(model, seatWanted)
  const isNeeded = driver.active && !active && model.trips.some((trip) => isAtStake(trip, hasLive(at)))
  if (isNeeded && !force) return refusal(model, confirmation)
  return accepted({ ...model, drivers: replaced(model.drivers, at, { ...driver, active }) })
}

export const buy = (model: Model, { active }: Extract<Command, { act: "buy" }>): Outcome<Model> =>
  active && !isCarAllowed(model)
    ? refusal(model, noMoreCars)
    : accepted({ ...model, cars: [...model.cars, { active, gone: false }] })

export const changeCar = (
  model: Model,
  { active, car: at }: Extract<Command, { act: "change car" }>
): Outcome<Model> => {
  const car = present(model.cars, at)
  if (car === undefined) return refusal(model, notFound)
  if (active && !car.active && !isCarAllowed(model)) return refusal(model, noMoreCars)
  return accepted({ ...model, cars: replaced(model.cars, at, { ...car, active }) })
}

/** Removes a record from every trip that has not ended and refers to it. */
const withdrawn = (
  model: Model,
  refers: (trip: Trip) => boolean,
  without: (trip: Trip) => Trip
): Omit<Outcome<Model>, "answer"> => {
  let standing: Omit<Outcome<Model>, "answer"> = { model, events: [] }
  model.trips.forEach((trip, at) => {
    if (!isAtStake(trip, refers)) return
    const { events, model: next } = withTrip(standing.model, at, trip, without(trip))
    standing = { model: next, events: [...standing.events, ...events] }
  })
  return { ...standing, events: standing.events.toSorted() }
}

export const dismiss = (
  model: Model,
  { driver: at, force }: Extract<Command, { act: "dismiss" }>
): Outcome<Model> => {
  const driver = present(model.drivers, at)
  if (driver === undefined) return refusal(model, notFound)
  const refers = hasLive(at)
  if (!force && model.trips.some((trip) => isAtStake(trip, refers))) return refusal(model, confirmation)
  const { events, model: next } = withdrawn(model, refers, (trip) => ({
    ...trip,
    parts: trip.parts.map((part) =>
      part.driver === at && isLive(part) ? { ...part, status: "cancelled" } : part
    )
  }))
  return {
    model: { ...next, drivers: replaced(next.drivers, at, { ...driver, gone: true }) },
    answer: done(),
    events
  }
}

export const sell = (model: Model, { car: at, force }: Extract<Command, { act: "sell" }>): Outcome<Model> => {
  const car = present(model.cars, at)
  if (car === undefined) return refusal(model, notFound)
  const refers = (trip: Trip) => trip.car === at
  if (!force && model.trips.some((trip) => isAtStake(trip, refers))) return refusal(model, confirmation)
  const { events, model: next } = withdrawn(model, refers, (trip) => ({ ...trip, car: null }))
  return {
    model: { ...next, cars: replaced(next.cars, at, { ...car, gone: true }) },
    answer: done(),
    events
  }
}
