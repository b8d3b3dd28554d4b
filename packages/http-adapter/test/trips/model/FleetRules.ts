/** What can be done with drivers and cars, within what the plan allows (decisions, Plans; specification, Errors). */
import { type Answer, type Command, confirmation, done, notFound, type Outcome, refused } from "./Command.ts"
import { settled } from "./TripRules.ts"
import {
  activeOf,
  allowance,
  isLive,
  isTerminal,
  replaced,
  type Resource,
  type Trip,
  type World
} from "./World.ts"

const refusal = (world: World, answer: Answer): Outcome<World> => ({ world, answer, events: [] })
const accepted = (world: World): Outcome<World> => ({ world, answer: done(), events: [] })

const seatWanted = refused("plan_limit_exceeded")
const noMoreCars = refused("usage_limit_reached")

const present = (resources: ReadonlyArray<Resource>, at: number): Resource | undefined => {
  const found = resources[at]
  return found === undefined || found.gone ? undefined : found
}

/** A driver beyond the plan needs a seat that was asked for. */
const isDriverAllowed = ({ drivers }: World, confirmSeat: boolean) =>
  confirmSeat || activeOf(drivers) < allowance.drivers

const isCarAllowed = ({ cars }: World) => activeOf(cars) < allowance.cars

export const hire = (world: World, command: Extract<Command, { act: "hire" }>): Outcome<World> => {
  const { active, confirmSeat } = command
  if (active && !isDriverAllowed(world, confirmSeat)) return refusal(world, seatWanted)
  return accepted({ ...world, drivers: [...world.drivers, { active, gone: false }] })
}

const isAtStake = (trip: Trip, refers: (trip: Trip) => boolean) =>
  !trip.deleted && !isTerminal(trip.status) && refers(trip)

const hasLive =
  (driver: number) =>
  ({ parts }: Trip) =>
    parts.some((part) => part.driver === driver && isLive(part))

export const changeDriver = (
  world: World,
  { active, confirmSeat, driver: at, force }: Extract<Command, { act: "change driver" }>
): Outcome<World> => {
  const driver = present(world.drivers, at)
  if (driver === undefined) return refusal(world, notFound)
  if (active && !driver.active && !isDriverAllowed(world, confirmSeat)) return refusal(world, seatWanted)
  const isNeeded = driver.active && !active && world.trips.some((trip) => isAtStake(trip, hasLive(at)))
  if (isNeeded && !force) return refusal(world, confirmation)
  return accepted({ ...world, drivers: replaced(world.drivers, at, { ...driver, active }) })
}

export const buy = (world: World, { active }: Extract<Command, { act: "buy" }>): Outcome<World> =>
  active && !isCarAllowed(world)
    ? refusal(world, noMoreCars)
    : accepted({ ...world, cars: [...world.cars, { active, gone: false }] })

export const changeCar = (
  world: World,
  { active, car: at }: Extract<Command, { act: "change car" }>
): Outcome<World> => {
  const car = present(world.cars, at)
  if (car === undefined) return refusal(world, notFound)
  if (active && !car.active && !isCarAllowed(world)) return refusal(world, noMoreCars)
  return accepted({ ...world, cars: replaced(world.cars, at, { ...car, active }) })
}

/** Takes something off every trip that has not ended and refers to it. */
const withdrawn = (
  world: World,
  refers: (trip: Trip) => boolean,
  without: (trip: Trip) => Trip
): Omit<Outcome<World>, "answer"> => {
  let standing: Omit<Outcome<World>, "answer"> = { world, events: [] }
  world.trips.forEach((trip, at) => {
    if (!isAtStake(trip, refers)) return
    const { events, world: next } = settled(standing.world, at, trip, without(trip))
    standing = { world: next, events: [...standing.events, ...events] }
  })
  return { ...standing, events: standing.events.toSorted() }
}

export const dismiss = (
  world: World,
  { driver: at, force }: Extract<Command, { act: "dismiss" }>
): Outcome<World> => {
  const driver = present(world.drivers, at)
  if (driver === undefined) return refusal(world, notFound)
  const refers = hasLive(at)
  if (!force && world.trips.some((trip) => isAtStake(trip, refers))) return refusal(world, confirmation)
  const { events, world: next } = withdrawn(world, refers, (trip) => ({
    ...trip,
    parts: trip.parts.map((part) =>
      part.driver === at && isLive(part) ? { ...part, status: "cancelled" } : part
    )
  }))
  return {
    world: { ...next, drivers: replaced(next.drivers, at, { ...driver, gone: true }) },
    answer: done(),
    events
  }
}

export const sell = (world: World, { car: at, force }: Extract<Command, { act: "sell" }>): Outcome<World> => {
  const car = present(world.cars, at)
  if (car === undefined) return refusal(world, notFound)
  const refers = (trip: Trip) => trip.car === at
  if (!force && world.trips.some((trip) => isAtStake(trip, refers))) return refusal(world, confirmation)
  const { events, world: next } = withdrawn(world, refers, (trip) => ({ ...trip, car: null }))
  return {
    world: { ...next, cars: replaced(next.cars, at, { ...car, gone: true }) },
    answer: done(),
    events
  }
}
