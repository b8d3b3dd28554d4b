/** The effect of each step on a booking of a tour, as docs/api/sales.md and docs/api/invoices.md say. */
import { bookingMachine, type BookingStatus, holdsPlaces } from "@livery/domain"
import { Schema } from "effect"
import type { Taken } from "./Model.ts"

/** How many places the product has, and the price of each. */
export const capacity = 5
export const placePrice = 10

/** The amount of each payment. */
export const payment = 15

/**
 * The steps that callers take, and the passing of the time at which a pending booking expires. `more` takes all places,
 * `pay` and `refund` concern one payment each.
 */
export const BookingStep = Schema.Literals([
  "confirm",
  "cancel",
  "complete",
  "fewer",
  "more",
  "too many",
  "note",
  "remove",
  "pay",
  "refund",
  "wait"
])
export type BookingStep = typeof BookingStep.Type

/**
 * A booking. `isDue` tells whether the time to confirm it has passed; `invoiced` is the amount of its invoice, null
 * without one; `paid` counts the payments that were not refunded. `held` are the places that others cannot take.
 */
export interface BookingModel {
  readonly status: BookingStatus | "deleted"
  readonly count: number
  readonly held: number
  readonly trips: number
  readonly isDue: boolean
  readonly invoiced: number | null
  readonly paid: number
}

/** A new booking for two. */
export const pendingBooking: BookingModel = {
  status: "pending",
  count: 2,
  held: 2,
  trips: 0,
  isDue: false,
  invoiced: null,
  paid: 0
}

/** A pending booking without a payment expires when its time has passed. */
const settled = (model: BookingModel): BookingModel =>
  model.status === "pending" && model.isDue && model.paid === 0
    ? { ...model, status: "expired", held: 0 }
    : model

/** Takes a step of a booking. */
export const takeBookingStep = (model: BookingModel, step: BookingStep): Taken<BookingModel> => {
  const { count, invoiced, paid, status } = model
  const ok = (changes: Partial<BookingModel>): Taken<BookingModel> => ({
    answer: "ok",
    after: settled({ ...model, ...changes })
  })
  const refused = (answer: 404 | 409 | 422): Taken<BookingModel> => ({ answer, after: model })
  if (step === "wait") return ok({ isDue: true })
  // Without a payment there is nothing to refund, and no request.
  if (step === "refund") return ok({ paid: Math.max(0, paid - 1) })
  if (status === "deleted") return refused(404)
  const moved = (to: BookingStatus, changes: Partial<BookingModel> = {}) =>
    bookingMachine.can(status, to, "operator") ? ok({ status: to, ...changes }) : refused(422)
  const changed = (to: number) => {
    if (status !== "pending") return refused(422)
    if (to !== count && invoiced !== null) return refused(409)
    return to > capacity ? refused(409) : ok({ count: to, held: to })
  }
  switch (step) {
    case "confirm":
      return moved("confirmed", { trips: 1 })
    case "cancel":
      return moved("cancelled", { held: 0 })
    case "complete":
      return moved("completed")
    case "fewer":
      return changed(1)
    case "more":
      return changed(capacity)
    case "too many":
      return changed(capacity + 1)
    case "note":
      return status === "pending" || status === "confirmed" ? ok({}) : refused(422)
    case "remove":
      return ok({ status: "deleted", held: status === "completed" ? count : 0 })
    case "pay": {
      // With the expiry, the invoice became void.
      if (status === "expired") return refused(422)
      const total = invoiced ?? (holdsPlaces(status) ? count * placePrice : 0)
      // More than is due is taken, unless nothing is due.
      return paid * payment < total ? ok({ invoiced: total, paid: paid + 1 }) : refused(422)
    }
  }
}

/** The shortest way to each status. */
export const waysOfBooking: Readonly<Record<BookingStatus, ReadonlyArray<BookingStep>>> = {
  pending: [],
  confirmed: ["confirm"],
  completed: ["confirm", "complete"],
  cancelled: ["cancel"],
  expired: ["wait"]
}
