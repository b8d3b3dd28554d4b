/**
 * The trip's life:
 *
 *     pending ──▶ confirmed ──▶ in_progress ──▶ completed
 *        │          │  ▲  └───────────│────────────▲
 *        │          │  └──────────────┤   (every assignment was cancelled)
 *        └──▶ cancelled ◀─────────────┘
 *
 * An operator may reopen a trip that is completed or cancelled: it is confirmed again.
 *
 * A trip has no status for "assigned": that is derived from its assignments, as `driver_status`.
 */
import { Schema } from "effect"
import * as StateMachine from "../../kernel/StateMachine.ts"

/** The status of a trip. */
export const TripStatus = Schema.Literals(["pending", "confirmed", "in_progress", "completed", "cancelled"])
export type TripStatus = typeof TripStatus.Type

/**
 * The trip's transition table. A trip that is `completed` or `cancelled` has ended; only reopening leads out of that.
 */
export const tripMachine = StateMachine.make<TripStatus>(
  "trip",
  TripStatus.literals,
  {
    pending: {
      confirmed: ["operator", "payment", "customer"],
      cancelled: ["operator", "payment", "customer"]
    },
    confirmed: { in_progress: ["driver"], completed: ["operator"], cancelled: ["operator", "customer"] },
    in_progress: { completed: ["driver", "operator"], confirmed: ["driver"], cancelled: ["operator"] },
    completed: { confirmed: ["operator"] },
    cancelled: { confirmed: ["operator"] }
  },
  ["completed", "cancelled"]
)

/** Whether a trip in this status has not ended. */
export const isOpenTrip = (status: TripStatus): boolean => !tripMachine.isTerminal(status)

/** How a trip ends. */
export type TripEnd = Extract<TripStatus, "completed" | "cancelled">

/** The statuses that an operator may set. Reopening an ended trip is a use case of its own, so it is not among them. */
export const operatorMoves = (status: TripStatus): ReadonlyArray<TripStatus> =>
  isOpenTrip(status) ? tripMachine.next(status, "operator") : []

/** The request that reopens a trip, as messages name it. */
export const reopenRoute = "POST /trips/{id}/reopen"

/** Whether a trip in this status takes place or took place. */
export const isNotCancelled = (status: TripStatus): boolean => status !== "cancelled"

/** Whether a trip in this status is under way. */
export const isStarted = (status: TripStatus): boolean => status === "in_progress"

/** Whether drivers of a trip in this status can be assigned and can report: it is confirmed and has not ended. */
export const isDispatchable = (status: TripStatus): boolean => isOpenTrip(status) && status !== "pending"

/**
 * The status of a new trip: confirmed, unless it came from a booking page that asks for the operator's confirmation
 * first.
 */
export const initialTripStatus = (confirmationRequired: boolean): TripStatus =>
  confirmationRequired ? "pending" : "confirmed"

/** Why a trip was cancelled. */
export const CancelReason = Schema.Literals([
  "customer_request",
  "operator",
  "no_driver",
  "no_show",
  "late_cancel",
  "duplicate",
  "other"
])
export type CancelReason = typeof CancelReason.Type

/** Whether a trip's price is paid. */
export const PaymentStatus = Schema.Literals(["unpaid", "partial", "paid"])
export type PaymentStatus = typeof PaymentStatus.Type

/** The state of a trip's assignments, derived from them. */
export const DriverStatus = Schema.Literals(["unassigned", "assigned", "en_route", "completed"])
export type DriverStatus = typeof DriverStatus.Type

/** The kinds of trips. */
export const TripType = Schema.Literals([
  "transfer",
  "airport_arrival",
  "airport_departure",
  "hourly",
  "round_trip",
  "event",
  "other"
])
export type TripType = typeof TripType.Type
