/** What can be done with trips, and by whom (decisions, State machines, Trip). */
import {
  type Answer,
  type Changes,
  type Command,
  confirmation,
  done,
  illegal,
  notFound,
  type Outcome,
  refused,
  type Reported
} from "./Command.ts"
import {
  carClashes,
  clashes,
  crewOf,
  derivedStatus,
  inOrder,
  isAtHand,
  isLive,
  isOpen,
  isTerminal,
  type Part,
  replaced,
  type Trip,
  type TripStatus,
  type World
} from "./World.ts"

/** The moves that an operator may ask for; what follows from assignments is not asked for. */
const operatorMoves: Readonly<Record<TripStatus, ReadonlyArray<TripStatus>>> = {
  pending: ["confirmed", "cancelled"],
  confirmed: ["completed", "cancelled"],
  in_progress: ["completed", "cancelled"],
  completed: [],
  cancelled: []
}

/** What between the business and its books may still change of a trip that has ended, and is no event. */
const bookkeeping = new Set(["notes", "amount"])

const wireNames: Readonly<Record<keyof Changes, string>> = {
  slot: "trip_date",
  minutes: "duration_minutes",
  car: "car_id",
  customer: "customer_name",
  notes: "notes",
  amount: "total_amount"
}

const sameCrew = (before: Trip, after: Trip) => inOrder(crewOf(before)) === inOrder(crewOf(after))

const differing = (before: Trip, after: Trip): ReadonlyArray<keyof Changes> =>
  (["slot", "minutes", "car", "customer", "notes", "amount"] as const).filter(
    (field) => before[field] !== after[field]
  )

/** The events of a trip's change. */
const eventsOf = (at: number, before: Trip, after: Trip): ReadonlyArray<Reported> => {
  const moved = before.status !== after.status
  const loud = differing(before, after).some((field) => !bookkeeping.has(field))
  return [
    ...(sameCrew(before, after) ? [] : [`driver.assigned ${at} [${inOrder(crewOf(after))}]`]),
    ...(moved && after.status === "cancelled" ? [`trip.cancelled ${at}`] : []),
    ...(moved && after.status === "completed" ? [`trip.completed ${at}`] : []),
    ...(moved || loud ? [`trip.updated ${at} ${after.status}`] : [])
  ]
}

/** The world with a trip changed, once its status has followed its assignments. */
export const settled = (
  world: World,
  at: number,
  before: Trip,
  wanted: Trip
): Omit<Outcome<World>, "answer"> => {
  const after = isOpen(wanted.status) ? { ...wanted, status: derivedStatus(wanted.parts) } : wanted
  return {
    world: { ...world, trips: replaced(world.trips, at, after) },
    events: eventsOf(at, before, after)
  }
}

/** Nothing changes. */
export const refusal = (world: World, answer: Answer): Outcome<World> => ({ world, answer, events: [] })

/** A trip that is there. */
export const present = ({ trips }: World, at: number): Trip | undefined => {
  const trip = trips[at]
  return trip === undefined || trip.deleted ? undefined : trip
}

const freeCar = ({ cars }: World, car: number | null) => car === null || isAtHand(cars[car])

const noSuchCar = refused("invalid_request", "car_id not_found")

const enrolled = (world: World, trip: Trip): Outcome<World> => {
  const found = world.policy === "off" ? [] : carClashes(world, world.trips.length, trip)
  if (world.policy === "enforce" && found.length > 0) return refusal(world, confirmation)
  return {
    world: { ...world, trips: [...world.trips, trip] },
    answer: done(found),
    events: [`trip.created ${world.trips.length}`]
  }
}

const asked: Omit<Trip, "status" | "slot"> = {
  deleted: false,
  minutes: null,
  car: null,
  customer: "Ada",
  notes: null,
  amount: null,
  reason: null,
  fee: null,
  parts: []
}

export const book = (world: World, command: Extract<Command, { act: "book" }>): Outcome<World> => {
  const { car, minutes, slot } = command
  return freeCar(world, car)
    ? enrolled(world, { ...asked, status: "confirmed", slot, minutes, car })
    : refusal(world, noSuchCar)
}

export const request = (world: World, { slot }: { readonly slot: number }): Outcome<World> =>
  enrolled(world, { ...asked, status: "pending", slot })

export const duplicate = (world: World, { trip: at }: { readonly trip: number }): Outcome<World> => {
  const trip = present(world, at)
  if (trip === undefined) return refusal(world, notFound)
  const car = freeCar(world, trip.car) ? trip.car : null
  return enrolled(world, { ...trip, car, status: "confirmed", reason: null, fee: null, parts: [] })
}

export const change = (world: World, command: Extract<Command, { act: "change" }>): Outcome<World> => {
  const { changes, force, trip: at } = command
  const trip = present(world, at)
  if (trip === undefined) return refusal(world, notFound)
  const wanted: Trip = { ...trip, ...changes }
  const late = isTerminal(trip.status)
    ? differing(trip, wanted).filter((field) => !bookkeeping.has(field))
    : []
  const isCarFree = wanted.car === trip.car || freeCar(world, wanted.car)
  const wrong = [
    ...late.map((field) => `${wireNames[field]} invalid`),
    ...(isCarFree || late.includes("car") ? [] : ["car_id not_found"])
  ]
  if (wrong.length > 0) return refusal(world, refused("invalid_request", ...wrong))
  const drivers = trip.parts.filter(isLive).map(({ driver }) => driver)
  const isRetimed = wanted.slot !== trip.slot || wanted.minutes !== trip.minutes
  const found = [
    ...(isRetimed ? clashes(world, at, wanted, drivers) : []),
    ...(isRetimed || wanted.car !== trip.car ? carClashes(world, at, wanted) : [])
  ]
  if (world.policy === "enforce" && !force && found.length > 0) return refusal(world, confirmation)
  return { ...settled(world, at, trip, wanted), answer: done(world.policy === "off" ? [] : found) }
}

const ended = (parts: ReadonlyArray<Part>, status: "completed" | "cancelled") =>
  parts.map((part) => (isLive(part) ? { ...part, status } : part))

/** A trip as an operator leaves it who cancels it. */
const cancelled = (trip: Trip, reason = "operator", fee: number | null = null): Trip => ({
  ...trip,
  status: "cancelled",
  reason,
  fee,
  parts: ended(trip.parts, "cancelled")
})

export const setStatus = (world: World, command: Extract<Command, { act: "set status" }>): Outcome<World> => {
  const { fee, reason, status, trip: at } = command
  const trip = present(world, at)
  if (trip === undefined) return refusal(world, notFound)
  if (trip.status === status) {
    if (reason !== undefined && reason !== trip.reason)
      return refusal(world, refused("invalid_request", "cancel_reason invalid"))
    if (!isTerminal(status)) return { world, answer: done(), events: [] }
  }
  if (!operatorMoves[trip.status].includes(status)) return refusal(world, illegal)
  const wanted: Trip =
    status === "cancelled"
      ? cancelled(trip, reason, fee)
      : { ...trip, status, parts: status === "completed" ? ended(trip.parts, "completed") : trip.parts }
  return { ...settled(world, at, trip, wanted), answer: done() }
}

export const remove = (world: World, command: Extract<Command, { act: "delete" }>): Outcome<World> => {
  const { force, trip: at } = command
  const trip = present(world, at)
  if (trip === undefined) return refusal(world, notFound)
  if (trip.parts.some(isLive) && !force) return refusal(world, confirmation)
  const wanted = isTerminal(trip.status) ? trip : cancelled(trip)
  return { ...settled(world, at, trip, { ...wanted, deleted: true }), answer: done() }
}
