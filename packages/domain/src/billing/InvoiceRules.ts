/** Pure rules of what may happen to an invoice. */
import { DateTime, Effect } from "effect"
import { Conflict } from "../kernel/Errors.ts"
import { startOfDay, wallClock } from "../kernel/time/WallClock.ts"
import type { Invoice } from "./Invoice.ts"
import { sumsOf } from "./InvoiceLine.ts"
import { isOpenInvoice } from "./InvoiceStatus.ts"

/** The month on the clock of `timezone` that holds `now`: its first instant and that of the next month. */
export const monthOf = (now: DateTime.Utc, timezone: string) => {
  const first = `${wallClock(now, timezone).slice(0, 7)}-01`
  const next = DateTime.formatIsoDateUtc(
    DateTime.add(DateTime.makeUnsafe(`${first}T00:00:00Z`), { months: 1 })
  )
  return { from: startOfDay(first, timezone), before: startOfDay(next, timezone) }
}

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
