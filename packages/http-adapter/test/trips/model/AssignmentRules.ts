/** The rules of assignments and of drivers' reports (decisions, State machines, Assignment). */
import { type Command, confirmation, done, illegal, notFound, type Outcome, refused } from "./Command.ts"
import { present, refusal, withTrip } from "./TripRules.ts"
import {
  carClashes,
  clashes,
  crewOf,
  isActive,
  isLive,
  isOpen,
  type Part,
  replaced,
  type Model
} from "./Model.ts"

export const assign = (model: Model, command: Extract<Command, { act: "assign" }>): Outcome<Model> => {
  const { drivers, force, trip: at } = command
  const trip = present(model, at)
  if (trip === undefined) return refusal(model, notFound)
  if (!isOpen(trip.status)) return refusal(model, illegal)
  const wanted = [...new Set(drivers)]
  const added = wanted.filter((driver) => !crewOf(trip).includes(driver))
  const strangers = added.filter((driver) => !isActive(model.drivers[driver]))
  if (strangers.length > 0)
    return refusal(
      model,
      refused(
        "invalid_request",
        ...strangers.map((driver) => `driver_ids.${drivers.indexOf(driver)} not_found`)
      )
    )
  const parts: ReadonlyArray<Part> = [
    ...trip.parts.map((part) =>
      isLive(part) && !wanted.includes(part.driver) ? { ...part, status: "cancelled" as const } : part
    ),
    ...added.map((driver) => ({ driver, status: "assigned" as const, milestones: [] }))
  ]
  const found = clashes(
    model,
    at,
    trip,
    parts.filter(isLive).map(({ driver }) => driver)
  )
  const decisive = found.filter((clash) => added.some((driver) => clash.startsWith(`${driver}:`)))
  const ofCar = carClashes(model, at, trip)
  const isEnforced = decisive.length > 0 || (added.length > 0 && ofCar.length > 0)
  if (model.policy === "enforce" && !force && isEnforced) return refusal(model, confirmation)
  return {
    ...withTrip(model, at, trip, { ...trip, parts }),
    answer: done(model.policy === "off" ? [] : [...found, ...ofCar])
  }
}

/** The moves of an assignment, and the callers who may cause them. */
const moves: Readonly<
  Record<Part["status"], Readonly<Partial<Record<Part["status"], "both" | "operator">>>>
> = {
  assigned: { en_route: "both", completed: "operator", cancelled: "both" },
  en_route: { en_route: "both", completed: "both", cancelled: "both" },
  completed: {},
  cancelled: {}
}

export const report = (model: Model, command: Extract<Command, { act: "report" }>): Outcome<Model> => {
  const { by, driver, milestone, status, trip: at } = command
  const trip = present(model, at)
  const index = trip?.parts.findLastIndex((part) => part.driver === driver) ?? -1
  const part = trip?.parts[index]
  if (by === "token" && (part === undefined || !isLive(part))) return refusal(model, refused("unauthorized"))
  if (by === "session" && !isActive(model.drivers[driver])) return refusal(model, refused("forbidden"))
  if (trip === undefined) return refusal(model, notFound)
  if (part === undefined)
    return refusal(model, by === "operator" ? refused("invalid_request", "driver_id not_found") : notFound)
  const to = status ?? part.status
  if (status !== undefined) {
    const mover = moves[part.status][status]
    const may = mover === "both" || (mover === "operator" && by === "operator")
    if (!may || !isOpen(trip.status)) return refusal(model, illegal)
  }
  const isNew = milestone !== undefined && !part.milestones.includes(milestone)
  if (isNew && part.status !== "en_route" && to !== "en_route")
    return refusal(model, refused("invalid_request", "milestone illegal_transition"))
  const milestones = isNew ? [...part.milestones, milestone] : part.milestones
  const parts = replaced(trip.parts, index, { ...part, status: to, milestones })
  return { ...withTrip(model, at, trip, { ...trip, parts }), answer: done() }
}
