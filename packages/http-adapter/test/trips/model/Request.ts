/** The HTTP request of a command: its caller, its route and its body. */
import type { Command } from "./Command.ts"
import { type Made, timeOf } from "./State.ts"

/** The caller: the business, a signed-in driver, or the holder of an assignment's token. */
export type Asker =
  | { readonly as: "operator" }
  | { readonly as: "session"; readonly driver: number }
  | { readonly as: "token"; readonly trip: number; readonly driver: number }

export interface Request {
  readonly method: "POST" | "PATCH" | "DELETE"
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly asker: Asker
}

/** An id that no record has. */
const absentId = 999_999_999

const defined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The request of a command, with the ids of the created records. The policy is a setting of the business. */
export const requestOf = (command: Exclude<Command, { act: "request" }>, made: Made): Request => {
  const idOf = (ids: ReadonlyArray<number>, place: number) => ids[place] ?? absentId
  const carOf = (place: number | null | undefined) =>
    place === null || place === undefined ? place : idOf(made.cars, place)
  const operator = { asker: { as: "operator" } } as const
  const forced = (force: boolean) => (force ? { force } : {})
  switch (command.act) {
    case "hire":
      return {
        ...operator,
        method: "POST",
        path: "/drivers",
        body: { name: "Driver", active: command.active, confirm_seat: command.confirmSeat }
      }
    case "change driver":
      return {
        ...operator,
        method: "PATCH",
        path: `/drivers/${idOf(made.drivers, command.driver)}`,
        body: { active: command.active, confirm_seat: command.confirmSeat, ...forced(command.force) }
      }
    case "dismiss":
      return {
        ...operator,
        method: "DELETE",
        path: `/drivers/${idOf(made.drivers, command.driver)}`,
        body: forced(command.force)
      }
    case "buy":
      return {
        ...operator,
        method: "POST",
        path: "/cars",
        body: { name: "Car", active: command.active }
      }
    case "change car":
      return {
        ...operator,
        method: "PATCH",
        path: `/cars/${idOf(made.cars, command.car)}`,
        body: { active: command.active }
      }
    case "sell":
      return {
        ...operator,
        method: "DELETE",
        path: `/cars/${idOf(made.cars, command.car)}`,
        body: forced(command.force)
      }
    case "book":
      return {
        ...operator,
        method: "POST",
        path: "/trips",
        body: defined({
          trip_date: timeOf(command.slot),
          duration_minutes: command.minutes,
          pickup_address: "Here",
          dropoff_address: "There",
          customer_name: "Ada",
          car_id: carOf(command.car)
        })
      }
    case "duplicate":
      return {
        ...operator,
        method: "POST",
        path: `/trips/${idOf(made.trips, command.trip)}/duplicate`,
        body: {}
      }
    case "change": {
      const { amount, car, customer, minutes, notes, slot } = command.changes
      return {
        ...operator,
        method: "PATCH",
        path: `/trips/${idOf(made.trips, command.trip)}`,
        body: defined({
          trip_date: slot === undefined ? undefined : timeOf(slot),
          duration_minutes: minutes,
          car_id: carOf(car),
          customer_name: customer,
          notes,
          total_amount: amount,
          ...forced(command.force)
        })
      }
    }
    case "set status":
      return {
        ...operator,
        method: "PATCH",
        path: `/trips/${idOf(made.trips, command.trip)}`,
        body: defined({
          status: command.status,
          cancel_reason: command.reason,
          cancellation_fee: command.fee
        })
      }
    case "delete":
      return {
        ...operator,
        method: "DELETE",
        path: `/trips/${idOf(made.trips, command.trip)}`,
        body: forced(command.force)
      }
    case "assign":
      return {
        ...operator,
        method: "POST",
        path: `/trips/${idOf(made.trips, command.trip)}/drivers`,
        body: {
          driver_ids: command.drivers.map((driver) => idOf(made.drivers, driver)),
          ...forced(command.force)
        }
      }
    case "report": {
      const { by, driver, milestone, status, trip } = command
      const report = defined({ status, milestone })
      const id = idOf(made.trips, trip)
      if (by === "token")
        return { method: "POST", path: "/driver/status", body: report, asker: { as: "token", trip, driver } }
      if (by === "session")
        return {
          method: "PATCH",
          path: `/me/driver/trips/${id}`,
          body: report,
          asker: { as: "session", driver }
        }
      return {
        ...operator,
        method: "PATCH",
        path: `/trips/${id}/driver-status`,
        body: { ...report, driver_id: idOf(made.drivers, driver) }
      }
    }
    case "set policy":
      return {
        ...operator,
        method: "PATCH",
        path: "/settings/business",
        body: { clash_policy: command.policy }
      }
  }
}
