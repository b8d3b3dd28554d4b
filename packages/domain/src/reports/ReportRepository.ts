/** The port that adds up the figures of a business. Amounts are in minor units of their currency. */
import { Context, type DateTime, type Effect } from "effect"
import type { TaxedLine, TaxOfRate } from "../billing/invoice/InvoiceSums.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import type { RevenueGroup, TripGroup, UnpaidAge } from "./Report.ts"

/** A time from `from` to `before`, on the clock of `timezone`. */
export interface ReportTime {
  readonly from: DateTime.Utc
  readonly before: DateTime.Utc
  readonly timezone: string
}

/** The documents of one key and currency: invoices in force less credit notes. */
export interface RevenueRow {
  readonly key: string | null
  readonly label: string | null
  readonly currency: string
  readonly documents: number
  readonly net_minor: number
  readonly tax_minor: number | null
  readonly total_minor: number | null
}

/** The trips of one key and currency. */
export interface TripsRow {
  readonly key: string | null
  readonly currency: string
  readonly trips: number
  readonly amount_minor: number
}

/** The completed jobs of a driver, by how late the driver arrived; `late_ms` is the sum of `reported` ones. */
export interface PunctualityRow {
  readonly driver_id: number
  readonly driver_name: string
  readonly jobs: number
  readonly reported: number
  readonly on_time: number
  readonly late_to_5: number
  readonly late_to_15: number
  readonly late_over_15: number
  readonly late_ms: number
}

/** The completed jobs of one driver or car. */
export interface WorkRow {
  readonly jobs: number
  readonly work_ms: number
  readonly metres: number
  readonly days_used: number
}

/** The completed jobs of a driver. */
export interface DriverWorkRow extends WorkRow {
  readonly driver_id: number
  readonly driver_name: string
}

/** The completed jobs of a car. */
export interface CarWorkRow extends WorkRow {
  readonly car_id: number
  readonly car_name: string
  readonly plate_number: string | null
}

/** The open invoices of one age and currency. */
export interface UnpaidRow {
  readonly key: UnpaidAge
  readonly currency: string
  readonly invoices: number
  readonly amount_minor: number
}

/** A document with the taxes that it states. `taxes` is null for an invoice: its taxes follow from its lines. */
export interface TaxedDocument {
  readonly currency: Currency
  readonly subtotal_minor: number
  readonly tax_minor: number
  readonly lines: ReadonlyArray<TaxedLine>
  readonly taxes: ReadonlyArray<TaxOfRate> | null
}

/**
 * Each function reads one business, in any order of rows.
 *
 * - `revenue`: the invoices issued in the time that are no drafts, void or deleted, less the credit notes of the time to such invoices. By class
 *   and product, only the amounts without tax are added up, by the trips that lines name: tax is rounded for each invoice.
 * - `taxed`: the documents of `revenue`, one by one.
 * - `trips`: the trips whose pickup is in the time: the price of each; of a cancelled trip, its fee. The channel is `website` for
 *   what a customer booked, `api` for API keys, `office` for users and the command line; null if the timeline does not say.
 * - `punctuality`, `drivers`, `cars`: completed assignments of completed trips whose pickup is in the time. A driver is on time who
 *   arrives at the pickup at its minute or earlier. The work is from the start to the end of the assignment.
 * - `unpaid`: the open invoices with an amount due, by the days since `due_date`, or since the day of issue without one.
 *   Undefined times bound nothing.
 */
export class ReportRepository extends Context.Service<
  ReportRepository,
  {
    readonly revenue: (
      businessId: BusinessId,
      time: ReportTime,
      by: RevenueGroup
    ) => Effect.Effect<ReadonlyArray<RevenueRow>>
    readonly taxed: (businessId: BusinessId, time: ReportTime) => Effect.Effect<ReadonlyArray<TaxedDocument>>
    readonly trips: (
      businessId: BusinessId,
      time: ReportTime,
      by: TripGroup
    ) => Effect.Effect<ReadonlyArray<TripsRow>>
    readonly punctuality: (
      businessId: BusinessId,
      time: ReportTime
    ) => Effect.Effect<ReadonlyArray<PunctualityRow>>
    readonly drivers: (
      businessId: BusinessId,
      time: ReportTime
    ) => Effect.Effect<ReadonlyArray<DriverWorkRow>>
    readonly cars: (businessId: BusinessId, time: ReportTime) => Effect.Effect<ReadonlyArray<CarWorkRow>>
    readonly unpaid: (
      businessId: BusinessId,
      time: { readonly from?: DateTime.Utc; readonly before?: DateTime.Utc; readonly timezone: string },
      today: string
    ) => Effect.Effect<ReadonlyArray<UnpaidRow>>
  }
>()("@livery/domain/ReportRepository") {}
