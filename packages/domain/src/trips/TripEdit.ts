/** What an edit of a trip comes to, and which of its fields cannot be had: for booking, changing and copying. */
import { Equal, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import * as Money from "../kernel/money/Money.ts"
import { instantOf } from "../kernel/time/WallClock.ts"
import { type NewTrip, priceOf, type Trip, tripRecord } from "./Trip.ts"
import { type TripChanges, type TripInput, type TripOverrides, usualTripType } from "./TripInput.ts"
import { initialTripStatus, tripMachine } from "./TripStatus.ts"

/** Something edited, and the fields that stand in its way; none if it can be had. */
export interface Edited<A> {
  readonly result: A
  readonly issues: ReadonlyArray<FieldIssue>
}

/** What a new trip is but for its reference. */
export type TripDraft = Omit<NewTrip, "reference">

const invalid = (field: string): FieldIssue => ({ field, issue: "invalid" })

/** An amount in minor units of `currency`; an issue of `field` if it has more decimals than that. */
const amountIn = (amount: number | null, currency: Trip["currency"], field: string): Edited<number | null> =>
  Option.match(priceOf(amount, currency), {
    onNone: () => ({ result: null, issues: [invalid(field)] }),
    onSome: (result) => ({ result, issues: [] })
  })

/** What an input books. */
export const drafted = (acting: ActingBusiness, input: TripInput): Edited<TripDraft> => {
  const { currency: given, total_amount, trip_date, ...repeated } = input
  const currency = given ?? acting.currency
  const price = amountIn(total_amount, currency, "total_amount")
  return {
    result: {
      ...repeated,
      business_id: acting.business_id,
      status: initialTripStatus(false),
      payment_status: "unpaid",
      trip_date: instantOf(trip_date, acting.timezone),
      total_minor: price.result,
      currency
    },
    issues: price.issues
  }
}

const major = (minor: number | null, currency: Trip["currency"]) =>
  minor === null ? null : Money.toMajor({ minor, currency })

/** The trip with other fields. Amounts keep their figure in another currency, where that has so many decimals. */
const overridden = (acting: ActingBusiness, trip: Trip, overrides: TripOverrides): Edited<Trip> => {
  const { currency: given, total_amount, trip_date, trip_type, ...plain } = overrides
  const currency = given === undefined ? trip.currency : (given ?? acting.currency)
  const total = total_amount === undefined ? major(trip.total_minor, trip.currency) : total_amount
  const price = amountIn(total, currency, "total_amount")
  const fee = amountIn(major(trip.cancellation_fee_minor, trip.currency), currency, "cancellation_fee")
  return {
    result: {
      ...trip,
      ...plain,
      trip_type: trip_type === undefined ? trip.trip_type : (trip_type ?? usualTripType),
      trip_date: trip_date === undefined ? trip.trip_date : instantOf(trip_date, acting.timezone),
      total_minor: price.result,
      cancellation_fee_minor: fee.result,
      currency
    },
    issues: [...price.issues, ...fee.issues]
  }
}

/** The same booked once more: a trip of its own, that nobody drives, pays or has cancelled yet. */
export const copied = (acting: ActingBusiness, trip: Trip, overrides: TripOverrides): Edited<TripDraft> => {
  const { issues, result } = overridden(acting, { ...trip, cancellation_fee_minor: null }, overrides)
  const {
    cancel_reason: _reason,
    cancellation_fee_minor: _fee,
    cancelled_at: _cancelled,
    cancelled_by: _by,
    completed_at: _completed,
    created_at: _created,
    driver_status: _driverStatus,
    drivers: _drivers,
    invoice_id: _invoice,
    reference: _reference,
    trip_id: _trip,
    updated_at: _updated,
    ...draft
  } = result
  return { result: { ...draft, status: initialTripStatus(false), payment_status: "unpaid" }, issues }
}

/** What a trip that has ended may still change in: what is noted, and what is charged. */
const settledLater: ReadonlySet<string> = new Set(["notes", "total_amount", "currency", "cancellation_fee"])

/** What changed in a trip that has ended, and must not: each field under its name in answers. */
const untimely = (before: Trip, after: Trip, timezone: string): ReadonlyArray<FieldIssue> => {
  if (!tripMachine.isTerminal(before.status)) return []
  const was = tripRecord(before, timezone)
  const standing: Readonly<Record<string, unknown>> = tripRecord(after, timezone)
  return Object.entries(was)
    .filter(([field, value]) => field !== "pickup_at" && !Equal.equals(value, standing[field]))
    .filter(([field]) => !settledLater.has(field))
    .map(([field]) => invalid(field))
}

/** A changed trip whose status has yet to move, and the fee that moving it to `cancelled` leaves behind. */
export interface ChangedTrip {
  readonly trip: Trip
  readonly feeMinor: number | null
}

/**
 * The trip with what a change wants of its fields. The reason of a cancellation belongs to the move alone, its fee to
 * a cancelled trip.
 */
export const changed = (acting: ActingBusiness, trip: Trip, changes: TripChanges): Edited<ChangedTrip> => {
  const { cancel_reason, cancellation_fee, force: _force, status, ...overrides } = changes
  const { issues, result } = overridden(acting, trip, overrides)
  const isCancelled = trip.status === "cancelled"
  const isCancelling = !isCancelled && status === "cancelled"
  const fee =
    cancellation_fee === undefined
      ? { result: result.cancellation_fee_minor, issues: [] }
      : amountIn(cancellation_fee, result.currency, "cancellation_fee")
  const after = isCancelled ? { ...result, cancellation_fee_minor: fee.result } : result
  const isReasonMisplaced =
    cancel_reason !== undefined && !isCancelling && cancel_reason !== trip.cancel_reason
  const isFeeMisplaced = (cancellation_fee ?? null) !== null && !isCancelling && !isCancelled
  const found = [
    ...issues,
    ...untimely(trip, after, acting.timezone),
    ...(isReasonMisplaced ? [invalid("cancel_reason")] : []),
    ...(isFeeMisplaced ? [invalid("cancellation_fee")] : fee.issues)
  ]
  return {
    result: { trip: after, feeMinor: fee.result },
    issues: [...new Map(found.map((issue) => [issue.field, issue])).values()]
  }
}
