/** Asks the server for the prices of a ride and of its way back. */
import { post } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import type { Estimate, Price, Prices } from "./Business.ts"
import { type Draft, waysOf } from "./Draft.ts"
import { rideOf } from "./RideBody.ts"
import { failureOf, path } from "./state.ts"

const otherSides: Readonly<Record<string, string>> = { pickup: "dropoff", dropoff: "pickup" }

/** The failure of the way back, with the fields of the form: its start, and the places of the way there. */
const failureOfBack = ({ details, message, status, type }: Failure) => {
  const fieldOf = (field = "") =>
    field === "trip_date"
      ? "back_date"
      : field.replace(/^(?:pickup|dropoff)(?=_)/u, (side) => otherSides[side] ?? side)
  return new Failure(
    status,
    type,
    message,
    details.map((wrong) => ({ ...wrong, field: fieldOf(wrong.field) }))
  )
}

/** The prices of all ways: a class has one if each way has one. */
const together = (ways: ReadonlyArray<Estimate>): Prices => {
  const classes = new Set(ways.flatMap(({ fares }) => fares.map(({ vehicle_class }) => vehicle_class)))
  const fares = [...classes].flatMap((vehicle_class): ReadonlyArray<Price> => {
    const parts = ways.flatMap((way) => way.fares.filter((fare) => fare.vehicle_class === vehicle_class))
    const total_amount = parts.reduce((sum, part) => sum + part.total_amount, 0)
    return parts.length === ways.length ? [{ vehicle_class, total_amount, parts }] : []
  })
  const priced = new Set(fares.map(({ vehicle_class }) => vehicle_class))
  const unavailable = new Map(
    ways.flatMap((way) => way.unavailable).map((missing) => [missing.vehicle_class, missing] as const)
  )
  return {
    currency: ways[0]?.currency ?? "",
    fares,
    unavailable: [...unavailable.values()].filter(({ vehicle_class }) => !priced.has(vehicle_class))
  }
}

/** The prices of the ways of a form, asked for at the same time. The failure of one of them is the failure of all. */
export const pricesOf = async (form: Draft): Promise<Prices> =>
  together(
    await Promise.all(
      waysOf(form).map(async (way, index) =>
        post<Estimate>(`${path}/estimate`, rideOf(way)).catch((error: unknown) => {
          throw index === 0 ? error : failureOfBack(failureOf(error))
        })
      )
    )
  )
