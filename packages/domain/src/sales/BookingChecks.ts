/** The rules of a booking's fields beyond their types. */
import type { DateTime } from "effect"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { Booking, BookingChanges } from "./Booking.ts"
import { isTransport, type Product } from "./Product.ts"

/** The fields that a booking of each status lets change; a booking of any other status lets none. */
const contact = ["customer_id", "customer_name", "customer_email", "customer_phone", "notes"]
const changeable: Readonly<Partial<Record<Booking["status"], ReadonlySet<string>>>> = {
  pending: new Set([...contact, "starts_at", "participants_count", "pickup_address", "dropoff_address"]),
  confirmed: new Set([...contact, "status"])
}

/** The given fields that a booking of this status does not let change. A status that stays the same is no change. */
export const fixedFields = (
  { status }: Booking,
  changes: BookingChanges,
  isStatusSent: boolean
): ReadonlyArray<FieldIssue> => [
  ...Object.keys(changes)
    .filter((name) => name !== "status" && changeable[status]?.has(name) !== true)
    .map((field) => ({ field, issue: "invalid" as const })),
  // Confirming and cancelling have routes of their own.
  ...(isStatusSent && changes.status !== "completed" ? [{ field: "status", issue: "invalid" as const }] : [])
]

/** A booking starts in the future. */
export const startIssues = (startsAt: DateTime.Utc, now: DateTime.Utc): ReadonlyArray<FieldIssue> =>
  startsAt.epochMilliseconds <= now.epochMilliseconds ? [{ field: "starts_at", issue: "out_of_range" }] : []

/** A booking has a customer's name: the given one or that of its customer. */
export const nameIssues = (name: string | null): ReadonlyArray<FieldIssue> =>
  name === null ? [{ field: "customer_name", issue: "required" }] : []

/** The booking of a transport product has both addresses, its own or those of the product. */
export const addressIssues = (
  product: Product,
  booking: Pick<Booking, "pickup_address" | "dropoff_address">
): ReadonlyArray<FieldIssue> =>
  (["pickup_address", "dropoff_address"] as const).flatMap((field) =>
    isTransport(product) && booking[field] === null && product[field] === null
      ? [{ field, issue: "required" as const }]
      : []
  )
