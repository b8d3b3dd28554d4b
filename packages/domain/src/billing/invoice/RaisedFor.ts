/** Invoices that are raised by requests which name neither items nor trips: payment links, payments and months. */
import { Effect } from "effect"
import { Conflict, InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"

/** Whether the lines of an invoice have a sum that no invoice may have. */
const isTooLarge = ({ field, issue }: FieldIssue) =>
  issue === "out_of_range" && /^(?:items|trip_ids)/u.test(field)

/** Whether a trip was deleted, or changed its currency, after it was chosen. */
const isOfTrip = ({ field }: FieldIssue) => field.startsWith("trip_ids.")

/**
 * Names the field that the caller sent in place of `items` and `trip_ids` of an invoice that the caller did not write. The
 * advice says why that field is wrong. `Conflict` if another request changed one of the trips meanwhile.
 */
export const namingField =
  (field: string, advice: string) =>
  <A, E, R>(raised: Effect.Effect<A, E, R>): Effect.Effect<A, E | InvalidInput | Conflict, R> =>
    Effect.mapError(raised, (error) => {
      if (!(error instanceof InvalidInput)) return error
      if (error.issues.some(isOfTrip))
        return new Conflict({ reason: "Another request has changed a trip meanwhile; try again" })
      return error.issues.some(isTooLarge)
        ? new InvalidInput({ issues: [{ field, issue: "out_of_range" }], advice })
        : error
    })

/** Names the tax of a payment link or a payment: with it, the price of the trip or the booking is more than an invoice may be. */
export const namingTax = namingField(
  "tax_rate",
  "With this tax, the total is larger than the largest amount of an invoice"
)
