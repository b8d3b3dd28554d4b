/** Pure rules of what may happen to an invoice. */
import { Effect } from "effect"
import { Conflict } from "../../kernel/Errors.ts"
import type { TripId } from "../../kernel/Ids.ts"
import type { Invoice } from "./Invoice.ts"
import { sumsOf, tripsNamedBy } from "./InvoiceLine.ts"
import { isOpenInvoice } from "./InvoiceStatus.ts"

/** Fails if the invoice has credit notes. */
export const requireUncredited = ({ credited_minor, number }: Invoice): Effect.Effect<void, Conflict> =>
  credited_minor === 0
    ? Effect.void
    : Effect.fail(
        new Conflict({ reason: `Invoice ${number} has credit notes; credit the rest of it instead` })
      )

/** Fails unless the lines of the invoice may change: it is neither paid nor void, and has no credit notes. */
export const requireOpen = (invoice: Invoice): Effect.Effect<void, Conflict> => {
  const { number, status } = invoice
  return isOpenInvoice(status)
    ? requireUncredited(invoice)
    : Effect.fail(new Conflict({ reason: `Invoice ${number} is ${status}; its items and trips are final` }))
}

/** Fails if the total of the lines would be less than the amount paid. */
export const requireCovered = ({ currency, lines, paid_minor }: Invoice): Effect.Effect<void, Conflict> =>
  sumsOf(lines, currency).total_minor >= paid_minor
    ? Effect.void
    : Effect.fail(
        new Conflict({ reason: "The total would be less than the amount paid; refund the difference first" })
      )

/**
 * Fails for a trip that no line names while lines that name no trip charge something: they may charge the trip, and would
 * remain when it is detached. It could then be charged a second time on another invoice.
 */
export const requireNamed = (
  { lines, number }: Invoice,
  tripIds: ReadonlyArray<TripId>
): Effect.Effect<void, Conflict> => {
  const named = tripsNamedBy(lines)
  const unnamed = tripIds.filter((tripId) => !named.includes(tripId))
  return unnamed.length === 0 || !lines.some(({ net_minor, trip_id }) => trip_id === null && net_minor > 0)
    ? Effect.void
    : Effect.fail(
        new Conflict({
          reason:
            `Lines of invoice ${number} that name no trip may charge for these trips. ` +
            "Name each trip in the item that charges it (items[].trip_id), then detach it",
          records: unnamed.map((trip_id) => ({ type: "trip", trip_id }))
        })
      )
}
