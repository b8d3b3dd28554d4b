/** Invoicing a customer's trips of a month (docs/api/invoices.md). */
import { Context, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Conflict, orNotFound } from "../kernel/Errors.ts"
import type { CustomerId } from "../kernel/Ids.ts"
import { monthNamed } from "../kernel/time/Month.ts"
import { TripReferences } from "../trips/trip/TripReferences.ts"
import { type BillableTrip, BillableTripRepository } from "./invoice/BillableTripRepository.ts"
import type { InvoiceRecord } from "./invoice/Invoice.ts"
import { namingField } from "./invoice/RaisedFor.ts"
import { Invoices } from "./Invoices.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { InvoiceGrouping, MonthlyInvoiceInput } from "./invoice/MonthlyInvoiceInput.ts"

/** The most trips of one invoice. */
export const maxTripsPerMonth = 1000

/**
 * The most times that the trips are looked up, if another request invoices one of them each time. Then the request fails.
 */
const maxAttempts = 3

/** The trips sorted by the name of their group; trips without a group come last. */
const sortedByGroup = (trips: ReadonlyArray<BillableTrip>, by: typeof InvoiceGrouping.Type | null) => {
  if (by === null) return trips
  const nameOf = (trip: BillableTrip) => trip[by]
  return trips.toSorted((one, other) => {
    const [left, right] = [nameOf(one), nameOf(other)]
    if (left === right) return 0
    if (left === null || right === null) return left === null ? 1 : -1
    return left < right ? -1 : 1
  })
}

export class MonthlyInvoices extends Context.Service<MonthlyInvoices>()("@livery/domain/MonthlyInvoices", {
  make: Effect.gen(function* () {
    const references = yield* TripReferences
    const billable = yield* BillableTripRepository
    const invoices = yield* Invoices

    return {
      /**
       * Raises one invoice for the trips of a customer in a month, with a line for each. It takes trips that are on no
       * invoice and are completed, or cancelled with a fee; `left_out` names the others, with the reason. `Conflict` if there
       * are none, or more than
       * {@link maxTripsPerMonth}; `PlanLimitExceeded` as for any invoice; `NotFound` if the customer is absent or
       * another business's.
       */
      raise: traced("MonthlyInvoices.raise")(function* (
        acting: ActingBusiness,
        customerId: CustomerId,
        { group_by, month, currency: wanted, ...terms }: MonthlyInvoiceInput
      ) {
        const currency = wanted ?? acting.currency
        yield* orNotFound("customer")(yield* references.lockCustomer(acting.business_id, customerId))
        const query = { customerId, currency, ...monthNamed(month, acting.timezone) }
        const leftOut = billable.leftOut(acting.business_id, query, maxTripsPerMonth)
        for (let round = 1; ; round++) {
          const trips = yield* billable.ofCustomer(acting.business_id, query, maxTripsPerMonth + 1)
          if (trips.length === 0) {
            const records = (yield* leftOut).map((trip) => ({ type: "trip", ...trip }))
            return yield* new Conflict({
              reason:
                `The customer has no trips to invoice in ${currency} in ${month}: ` +
                "they are completed with a price, or cancelled with a fee, and on no invoice",
              ...(records.length === 0 ? {} : { records })
            })
          }
          if (trips.length > maxTripsPerMonth)
            return yield* new Conflict({
              reason: `The customer has more than ${maxTripsPerMonth} trips in ${month}; invoice them in parts`
            })
          const raised = yield* invoices
            .create(acting, {
              ...terms,
              customer_id: customerId,
              currency,
              service_from: null,
              service_to: null,
              items: [],
              trip_ids: sortedByGroup(trips, group_by).map(({ trip_id }) => trip_id)
            })
            .pipe(
              namingField(
                "month",
                "The total of these trips is larger than the largest amount of an invoice; invoice them in parts"
              ),
              Effect.asSome,
              // Another request has just put one of the trips on an invoice.
              Effect.catchTag("Conflict", (conflict) =>
                round < maxAttempts ? Effect.succeed(Option.none<InvoiceRecord>()) : Effect.fail(conflict)
              )
            )
          if (Option.isSome(raised)) return { ...raised.value, left_out: yield* leftOut }
        }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(MonthlyInvoices, MonthlyInvoices.make)
}
