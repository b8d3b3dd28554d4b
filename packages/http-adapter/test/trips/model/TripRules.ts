/** The rules of trips, and the callers who may change them (decisions, State machines, Trip). */
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
  isActive,
  isLive,
  isOpen,
  isTerminal,
  type Part,
  replaced,
  type Trip,
  type TripStatus,
  type Model
} from "./Model.ts"

/** The moves that an operator may request. Moves that follow from assignments cannot be requested. */
const operatorMoves: Readonly<Record<TripStatus, ReadonlyArray<TripStatus>>> = {
  pending: ["confirmed", "cancelled"],
  confirmed: ["completed", "cancelled"],
  in_progress: ["completed", "cancelled"],
  completed: [],
  cancelled: []
}

/** The fields that may still change after the trip's end. Their change sends no event. */
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

/** The model with a changed trip, whose status follows from its assignments. */
export const withTrip = (
  model: Model,
  at: number,
  before: Trip,
  wanted: Trip
): Omit<Outcome<Model>, "answer"> => {
  const after = isOpen(wanted.status) ? { ...wanted, status: derivedStatus(wanted.parts) } : wanted
  return {
    model: { ...model, trips: replaced(model.trips, at, after) },
    events: eventsOf(at, before, after)
  }
}

/** A refusal, which changes nothing. */
export const refusal = (model: Model, answer: Answer): Outcome<Model> => ({ model, answer, events: [] })

/** A trip that exists; undefined if it is absent or deleted. */
export const present = ({ trips }: Model, at: number): Trip | undefined => {
  const trip = trips[at]
  return trip === undefined || trip.deleted ? undefined : trip
}

const freeCar = ({ cars }: Model, car: number | null) => car === null || isActive(cars[car])

const noSuchCar = refused("invalid_request", "car_id not_found")

const enrolled = (model: Model, trip: Trip): Outcome<Model> => {
  const found = model.policy === "off" ? [] : carClashes(model, model.trips.length, trip)
  if (model.policy === "enforce" && found.length > 0) return refusal(model, confirmation)
  return {
    model: { ...model, trips: [...model.trips, trip] },
    answer: done(found),
    events: [`trip.created ${model.trips.length}`]
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

export const book = (model: Model, command: Extract<Command, { act: "book" }>): Outcome<Model> => {
  const { car, minutes, slot } = command
  return freeCar(model, car)
    ? enrolled(model, { ...asked, status: "confirmed", slot, minutes, car })
    : refusal(model, noSuchCar)
}

export const request = (model: Model, { slot }: { readonly slot: number }): Outcome<Model> =>
  enrolled(model, { ...asked, status: "pending", slot })

export const duplicate = (model: Model, { trip: at }: { readonly trip: number }): Outcome<Model> => {
  const trip = present(model, at)
  if (trip === undefined) return refusal(model, notFound)
  const car = freeCar(model, trip.car) ? trip.car : null
  return enrolled(model, { ...trip, car, status: "confirmed", reason: null, fee: null, parts: [] })
}

export const change = (model: Model, command: Extract<Command, { act: "change" }>): Outcome<Model> => {
  const { changes, force, trip: at } = command
  const trip = present(model, at)
  if (trip === undefined) return refusal(model, notFound)
  const wanted: Trip = { ...trip, ...changes }
  const late = isTerminal(trip.status)
    ? differing(trip, wanted).filter((field) => !bookkeeping.has(field))
    : []
  const isCarFree = wanted.car === trip.car || freeCar(model, wanted.car)
  const wrong = [
    ...late.map((field) => `${wireNames[field]} invalid`),
    ...(isCarFree || late.includes("car") ? [] : ["car_id not_found"])
  ]
  if (wrong.length > 0) return refusal(model, refused("invalid_request", ...wrong))
  const drivers = trip.parts.filter(isLive).map(({ driver }) => driver)
  const isRetimed = wanted.slot !== trip.slot || wanted.minutes !== trip.minutes
  const found = [
    ...(isRetimed ? clashes(model, at, wanted, drivers) : []),
    ...(isRetimed || wanted.car !== trip.car ? carClashes(model, at, wanted) : [])
  ]
  if (model.policy === "enforce" && !force && found.length > 0) return refusal(model, confirmation)
  return { ...withTrip(model, at, trip, wanted), answer: done(model.policy === "off" ? [] : found) }
}

const ended = (parts: ReadonlyArray<Part>, status: "completed" | "cancelled") =>
  parts.map((part) => (isLive(part) ? { ...part, status } : part))

/** A trip after an operator has cancelled it. */
const cancelled = (trip: Trip, reason = "operator", fee: number | null = null): Trip => ({
  ...trip,
  status: "cancelled",
  reason,
  fee,
  parts: ended(trip.parts, "cancelled")
})

export const setStatus = (model: Model, command: Extract<Command, { act: "set status" }>): Outcome<Model> => {
  const { fee, reason, status, trip: at } = command
  const trip = present(model, at)
  if (trip === undefined) return refusal(model, notFound)
  if (trip.status === status) {
    if (reason !== undefined && reason !== trip.reason)
      return refusal(model, refused("invalid_request", "cancel_reason invalid"))
    if (!isTerminal(status)) return { model, answer: done(), events: [] }
  }
  if (!operatorMoves[trip.status].includes(status)) return refusal(model, illegal)
  const wanted: Trip =
    status === "cancelled"
      ? cancelled(trip, reason, fee)
      : { ...trip, status, parts: status === "completed" ? ended(trip.parts, "completed") : trip.parts }
  return { ...withTrip(model, at, trip, wanted), answer: done() }
}

export const remove = (model: Model, command: Extract<Command, { act: "delete" }>): Outcome<Model> => {
  const { force, trip: at } = command
  const trip = present(model, at)
  if (trip === undefined) return refusal(model, notFound)
  if (trip.parts.some(isLive) && !force) return refusal(model, confirmation)
  const wanted = isTerminal(trip.status) ? trip : cancelled(trip)
  return { ...withTrip(model, at, trip, { ...wanted, deleted: true }), answer: done() }
}
