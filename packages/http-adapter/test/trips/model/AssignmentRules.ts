/** Who drives a trip, and how they get on with it (decisions, State machines, Assignment). */
import { type Command, confirmation, done, illegal, notFound, type Outcome, refused } from "./Command.ts"
import { present, refusal, settled } from "./TripRules.ts"
import {
  carClashes,
  clashes,
  crewOf,
  isAtHand,
  isLive,
  isOpen,
  type Part,
  replaced,
  type World
} from "./World.ts"

export const assign = (world: World, command: Extract<Command, { act: "assign" }>): Outcome<World> => {
  const { drivers, force, trip: at } = command
  const trip = present(world, at)
  if (trip === undefined) return refusal(world, notFound)
  if (!isOpen(trip.status)) return refusal(world, illegal)
  const wanted = [...new Set(drivers)]
  const added = wanted.filter((driver) => !crewOf(trip).includes(driver))
  const strangers = added.filter((driver) => !isAtHand(world.drivers[driver]))
  if (strangers.length > 0)
    return refusal(
      world,
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
    world,
    at,
    trip,
    parts.filter(isLive).map(({ driver }) => driver)
  )
  const decisive = found.filter((clash) => added.some((driver) => clash.startsWith(`${driver}:`)))
  const ofCar = carClashes(world, at, trip)
  const isDecisive = decisive.length > 0 || (added.length > 0 && ofCar.length > 0)
  if (world.policy === "enforce" && !force && isDecisive) return refusal(world, confirmation)
  return {
    ...settled(world, at, trip, { ...trip, parts }),
    answer: done(world.policy === "off" ? [] : [...found, ...ofCar])
  }
}

/** Where a part may go, and who may send it there. */
const moves: Readonly<
  Record<Part["status"], Readonly<Partial<Record<Part["status"], "both" | "operator">>>>
> = {
  assigned: { en_route: "both", completed: "operator", cancelled: "both" },
  en_route: { en_route: "both", completed: "both", cancelled: "both" },
  completed: {},
  cancelled: {}
}

export const report = (world: World, command: Extract<Command, { act: "report" }>): Outcome<World> => {
  const { by, driver, milestone, status, trip: at } = command
  const trip = present(world, at)
  const index = trip?.parts.findLastIndex((part) => part.driver === driver) ?? -1
  const part = trip?.parts[index]
  if (by === "token" && (part === undefined || !isLive(part))) return refusal(world, refused("unauthorized"))
  if (by === "session" && !isAtHand(world.drivers[driver])) return refusal(world, refused("forbidden"))
  if (trip === undefined) return refusal(world, notFound)
  if (part === undefined)
    return refusal(world, by === "operator" ? refused("invalid_request", "driver_id not_found") : notFound)
  const to = status ?? part.status
  if (status !== undefined) {
    const mover = moves[part.status][status]
    const may = mover === "both" || (mover === "operator" && by === "operator")
    if (!may || !isOpen(trip.status)) return refusal(world, illegal)
  }
  const isNew = milestone !== undefined && !part.milestones.includes(milestone)
  if (isNew && part.status !== "en_route" && to !== "en_route")
    return refusal(world, refused("invalid_request", "milestone illegal_transition"))
  const milestones = isNew ? [...part.milestones, milestone] : part.milestones
  const parts = replaced(trip.parts, index, { ...part, status: to, milestones })
  return { ...settled(world, at, trip, { ...trip, parts }), answer: done() }
}
