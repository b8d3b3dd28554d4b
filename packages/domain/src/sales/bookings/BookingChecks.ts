/** The rules of a booking's fields beyond their types. */
import type { DateTime } from "effect"
import { Conflict } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Money from "../../kernel/money/Money.ts"
import type { Booking, BookingChanges } from "./Booking.ts"
import { isTransport, type Product } from "../products/Product.ts"

/** The error of a step of a booking that needs its product. */
export const productDeleted = new Conflict({ reason: "The product was deleted" })

/** The contact data of a booking and its notes. */
const contact = ["customer_id", "customer_name", "customer_email", "customer_phone", "notes"]

/** The fields that can change in each status; in any other status, none can. */
const changeable: Readonly<Partial<Record<Booking["status"], ReadonlySet<string>>>> = {
  pending: new Set([...contact, "starts_at", "participants_count", "pickup_address", "dropoff_address"]),
  confirmed: new Set([...contact, "status"])
}

/**
 * An issue for each given field that cannot change in the status of the booking. `isStatusSent` is false for a
 * status that stays the same.
 */
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

/** The advice for changes of fields that cannot change in the status of the booking: the fields that can. */
export const adviceOnFixed = ({ status }: Pick<Booking, "status">): string => {
  const fields = [...(changeable[status] ?? [])]
  return fields.length === 0
    ? `The booking is ${status}: none of its fields can change`
    : `The booking is ${status}: only ${fields.join(", ")} can still change`
}

/** An issue unless the booking starts in the future. */
export const startIssues = (startsAt: DateTime.Utc, now: DateTime.Utc): ReadonlyArray<FieldIssue> =>
  startsAt.epochMilliseconds <= now.epochMilliseconds ? [{ field: "starts_at", issue: "out_of_range" }] : []

/** An issue if the product has departures, and none at the start of the booking: that has no `seats`. */
export const noDepartureIssues = (
  { departures }: Pick<Product, "departures">,
  seats: number | undefined
): ReadonlyArray<FieldIssue> =>
  departures.length > 0 && seats === undefined ? [{ field: "starts_at", issue: "out_of_range" }] : []

/** An issue unless the total of the booking is an amount that its trip and its invoice can have. */
export const totalIssues = ({
  currency,
  total_minor
}: Pick<Booking, "currency" | "total_minor">): ReadonlyArray<FieldIssue> =>
  Money.isAmount({ minor: total_minor, currency })
    ? []
    : [
        {
          field: "participants_count",
          issue: "out_of_range",
          accepted: `a total of at most ${Money.largestText(currency)}`
        }
      ]

/** An issue for each address that a booking of a transport product lacks, because the product has none either. */
export const addressIssues = (
  product: Product,
  booking: Pick<Booking, "pickup_address" | "dropoff_address">
): ReadonlyArray<FieldIssue> =>
  (["pickup_address", "dropoff_address"] as const).flatMap((field) =>
    isTransport(product) && booking[field] === null && product[field] === null
      ? [{ field, issue: "required" as const }]
      : []
  )
