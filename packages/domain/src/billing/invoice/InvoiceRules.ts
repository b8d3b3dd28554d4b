/** Pure rules of what may happen to an invoice. */
import { Effect, Equal } from "effect"
import { Conflict } from "../../kernel/Errors.ts"
import type { TripId } from "../../kernel/Ids.ts"
import { type Invoice, isDraft, nameOfInvoice } from "./Invoice.ts"
import { tripsNamedBy } from "./InvoiceLine.ts"

/** Fails if the invoice has credit notes. */
export const requireUncredited = ({ credited_minor, number }: Invoice): Effect.Effect<void, Conflict> =>
  credited_minor === 0
    ? Effect.void
    : Effect.fail(
        new Conflict({ reason: `Invoice ${number} has credit notes; credit the rest of it instead` })
      )

/** Fails for a sealed invoice if a request changes these fields of it. */
export const requireUnsealed = (
  { number, sealed_at }: Invoice,
  fields: ReadonlyArray<string>
): Effect.Effect<void, Conflict> =>
  sealed_at === null || fields.length === 0
    ? Effect.void
    : Effect.fail(
        new Conflict({
          reason:
            `Invoice ${number} was issued and does not change any more: ${fields.join(", ")}. ` +
            "Correct it (POST /invoices/{id}/correct): that credits it, and raises a new invoice",
          records: fields.map((field) => ({ type: "field", field }))
        })
      )

/** Fails if the invoice is a draft, which can be neither sent nor paid. */
export const requireIssued = (invoice: Pick<Invoice, "status">): Effect.Effect<void, Conflict> =>
  isDraft(invoice)
    ? Effect.fail(new Conflict({ reason: "The invoice is a draft: issue it first" }))
    : Effect.void

/** Fails unless the lines of the invoice may change: it is neither void nor sealed, as a paid one is. */
export const requireOpen = (invoice: Invoice, field: string): Effect.Effect<void, Conflict> =>
  invoice.status === "void"
    ? Effect.fail(
        new Conflict({ reason: `Invoice ${invoice.number} is void; its items and trips are final` })
      )
    : requireUnsealed(invoice, [field])

/** The fields of an invoice that a change has other values of, and that a sealed invoice keeps. */
export const sealedFieldsOf = (before: Invoice, wanted: Invoice): ReadonlyArray<string> => [
  // An invoice without a customer may be linked to one in the books. Its document does not change.
  ...(before.customer_id === null || wanted.customer_id === before.customer_id ? [] : ["customer_id"]),
  ...(Equal.equals(wanted.lines, before.lines) ? [] : ["items"]),
  ...(
    [
      "issued_on",
      "due_date",
      "service_from",
      "service_to",
      "buyer_reference",
      "untaxed_as",
      "untaxed_reason"
    ] as const
  ).filter((name) => wanted[name] !== before[name])
]

/**
 * Fails for a trip that no line names while lines that name no trip charge something: they may charge the trip, and would
 * remain when it is detached. It could then be charged a second time on another invoice.
 */
export const requireNamed = (
  invoice: Invoice,
  tripIds: ReadonlyArray<TripId>
): Effect.Effect<void, Conflict> => {
  const { lines } = invoice
  const named = tripsNamedBy(lines)
  const unnamed = tripIds.filter((tripId) => !named.includes(tripId))
  return unnamed.length === 0 || !lines.some(({ net_minor, trip_id }) => trip_id === null && net_minor > 0)
    ? Effect.void
    : Effect.fail(
        new Conflict({
          reason:
            `${nameOfInvoice(invoice)} has lines that name no trip and may charge for these trips. ` +
            "Name each trip in the item that charges it (items[].trip_id), then detach it",
          records: unnamed.map((trip_id) => ({ type: "trip", trip_id }))
        })
      )
}
