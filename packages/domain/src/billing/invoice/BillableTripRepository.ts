/** The port that finds the trips that can be invoiced. */
import { Context, type DateTime, type Effect } from "effect"
import type { BusinessId, CustomerId, TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import type { LeftOutReason } from "./MonthlyInvoiceInput.ts"

/** The trips to bill: those of a customer in a currency, from `from` to before `before`. */
export interface BillableQuery {
  readonly customerId: CustomerId
  readonly currency: Currency
  readonly from: DateTime.Utc
  readonly before: DateTime.Utc
}

/** A trip that can be invoiced. */
export interface BillableTrip {
  readonly trip_id: TripId
  readonly po_number: string | null
  readonly cost_center: string | null
}

/** A trip that is left out of an invoice. */
export interface LeftOutTrip {
  readonly trip_id: TripId
  readonly reason: LeftOutReason
}

/** The trips of one customer in one currency that are on no invoice. `customerId` is null for trips without a customer. */
export interface UninvoicedTrips {
  readonly customerId: CustomerId | null
  readonly currency: Currency
  readonly count: number
}

/**
 * - `customers`: the customers and currencies of the business's trips from `from` to before `before` that are on no invoice, without
 *   trips that were cancelled without a fee, in the order of customers and currencies.
 * - `ofCustomer`: at most `most` trips that are completed and have a price, or are cancelled and have a fee, and are on no
 *   invoice; the earliest first.
 * - `leftOut`: at most `most` other trips that are on no invoice, with the first reason of {@link LeftOutReason} that applies;
 *   the earliest first. A trip that was cancelled without a fee is not left out: there is nothing to bill.
 */
export class BillableTripRepository extends Context.Service<
  BillableTripRepository,
  {
    readonly customers: (
      businessId: BusinessId,
      month: Pick<BillableQuery, "from" | "before">
    ) => Effect.Effect<ReadonlyArray<UninvoicedTrips>>
    readonly ofCustomer: (
      businessId: BusinessId,
      query: BillableQuery,
      most: number
    ) => Effect.Effect<ReadonlyArray<BillableTrip>>
    readonly leftOut: (
      businessId: BusinessId,
      query: BillableQuery,
      most: number
    ) => Effect.Effect<ReadonlyArray<LeftOutTrip>>
  }
>()("@livery/domain/BillableTripRepository") {}
