/** Invoicing a month for all customers (docs/api/invoices.md). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { ActingBusiness } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { orNotFound } from "../kernel/Errors.ts"
import { InvoiceId, type MonthlyRunId } from "../kernel/Ids.ts"
import { monthNamed } from "../kernel/time/Month.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { InvoicePdfs } from "./documents/InvoicePdfs.ts"
import { BillableTripRepository } from "./invoice/BillableTripRepository.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { type LeftOutReason, MonthlyInvoiceInput } from "./invoice/MonthlyInvoiceInput.ts"
import {
  type MonthlyRun,
  MonthlyRunInput,
  type MonthlyRunItem,
  monthlyRunRecord
} from "./invoice/MonthlyRun.ts"
import { type ItemPlace, MonthlyRunRepository } from "./invoice/MonthlyRunRepository.ts"
import { maxTripsPerMonth, MonthlyInvoices } from "./MonthlyInvoices.ts"

/** Trips of another currency have an item of their own in the run. */
const ofCurrency = (
  trips: ReadonlyArray<{
    readonly trip_id: MonthlyRunItem["left_out"][number]["trip_id"]
    readonly reason: LeftOutReason
  }>
) => trips.filter(({ reason }) => reason !== "other_currency")

/** The terms of the invoice of one item: the run's, and the defaults of a monthly invoice. */
const termsOf = ({ terms }: MonthlyRun, { currency }: MonthlyRunItem): MonthlyInvoiceInput => {
  const { send: _send, ...sent } = Schema.encodeSync(MonthlyRunInput)(terms)
  return Schema.decodeSync(MonthlyInvoiceInput)({ ...sent, currency })
}

export class MonthlyRuns extends Context.Service<MonthlyRuns>()("@livery/domain/MonthlyRuns", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const businesses = yield* BusinessRepository
    const billable = yield* BillableTripRepository
    const invoices = yield* InvoiceRepository
    const runs = yield* MonthlyRunRepository
    const monthly = yield* MonthlyInvoices
    const pdfs = yield* InvoicePdfs

    const recordOf = Effect.fnUntraced(function* (run: MonthlyRun) {
      return monthlyRunRecord(run, yield* runs.items(run.business_id, run.run_id))
    })

    /** The locked item with its run and its business; `None` if it does not wait any more. */
    const lock = Effect.fnUntraced(function* (work: "raise" | "send", place: ItemPlace) {
      const item = yield* runs.lock(work, place)
      const run = yield* runs.find(place.business_id, place.run_id)
      const business = yield* businesses.find(place.business_id)
      return Option.all({ item, run, acting: Option.map(business, (found) => ActingBusiness.make(found)) })
    })

    const raiseItem = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      run: MonthlyRun,
      item: MonthlyRunItem
    ): Effect.fn.Return<MonthlyRunItem> {
      const raised = yield* Effect.result(monthly.raise(acting, item.customer_id, termsOf(run, item)))
      if (raised._tag === "Success")
        return {
          ...item,
          outcome: "made" as const,
          invoice_id: InvoiceId.make(raised.success.invoice_id),
          left_out: ofCurrency(raised.success.left_out),
          sending: run.terms.send ? ("pending" as const) : null
        }
      const month = {
        customerId: item.customer_id,
        currency: item.currency,
        ...monthNamed(run.month, acting.timezone)
      }
      const billed = yield* billable.ofCustomer(acting.business_id, month, 1)
      return {
        ...item,
        outcome: billed.length === 0 ? ("nothing" as const) : ("refused" as const),
        left_out: ofCurrency(yield* billable.leftOut(acting.business_id, month, maxTripsPerMonth)),
        reason: billed.length === 0 ? null : raised.failure.message
      }
    })

    return {
      /**
       * Starts a run for all customers with trips of the month that are on no invoice. An unfinished run of the month is returned
       * instead. A worker raises the invoices, and sends them if the input says so: each in a transaction of its own, so that a
       * process that ends leaves the rest to the next one.
       */
      start: traced("MonthlyRuns.start")(function* (acting: ActingBusiness, terms: MonthlyRunInput) {
        const { business_id, timezone } = acting
        return yield* atomically(transaction, function* () {
          const { month } = terms
          const uninvoiced = yield* billable.customers(business_id, monthNamed(month, timezone))
          const trips_without_customer = uninvoiced.reduce(
            (sum, { count, customerId }) => (customerId === null ? sum + count : sum),
            0
          )
          const started = { business_id, month, terms, trips_without_customer }
          const customers = uninvoiced.filter(({ customerId }) => customerId !== null)
          return yield* recordOf(yield* runs.start(started, customers, yield* DateTime.now))
        })
      }),

      /** A run with the report of each customer. `NotFound` if the run is absent or another business's. */
      get: traced("MonthlyRuns.get")(function* ({ business_id }: ActingBusiness, runId: MonthlyRunId) {
        return yield* recordOf(yield* orNotFound("run")(yield* runs.find(business_id, runId)))
      }),

      /** Raises the invoice of an item that waits for it, in one transaction with the report of it. */
      raise: traced("MonthlyRuns.raise")(function* (place: ItemPlace) {
        yield* atomically(transaction, function* () {
          const locked = Option.getOrUndefined(yield* lock("raise", place))
          if (locked === undefined) return
          const item = yield* raiseItem(locked.acting, locked.run, locked.item)
          yield* runs.update(item, yield* DateTime.now)
        })
      }),

      /**
       * Emails the invoice of an item that waits for it. An invoice that was sent meanwhile, or by a process that ended before it
       * could report so, is not sent again.
       */
      send: traced("MonthlyRuns.send")(function* (place: ItemPlace) {
        const waiting = Option.getOrUndefined(yield* transaction.run(lock("send", place)))
        if (waiting === undefined || waiting.item.invoice_id === null) return
        const { acting, item } = waiting
        const invoice = yield* invoices.find(item.business_id, waiting.item.invoice_id)
        const isSent = Option.exists(invoice, ({ sent_at }) => sent_at !== null)
        const reason = isSent
          ? null
          : yield* pdfs
              .email(acting, waiting.item.invoice_id, { to: null, message: null, force: false })
              .pipe(
                Effect.as(null),
                Effect.catch(({ message }) => Effect.succeed(message))
              )
        yield* atomically(transaction, function* () {
          const locked = Option.getOrUndefined(yield* lock("send", place))
          if (locked === undefined) return
          const sending = reason === null ? ("sent" as const) : ("refused" as const)
          yield* runs.update({ ...locked.item, sending, reason }, yield* DateTime.now)
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(MonthlyRuns, MonthlyRuns.make)
}
