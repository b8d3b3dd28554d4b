/** Booking, copying and changing a trip: the resulting trip, and the fields that prevent it. */
import { Equal, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { emptyOf } from "../../kernel/fields/Personal.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Money from "../../kernel/money/Money.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { issuesOfReachedStops } from "./ReachedStops.ts"
import {
  newTripOf,
  type NewTrip,
  minorPriceOf,
  officeFields,
  type Trip,
  tripFields,
  tripRecord
} from "./Trip.ts"
import { TripChanges, type TripInput, type TripOverrides } from "./TripInput.ts"
import { initialTripStatus, isOpenTrip, reopenRoute, type TripStatus } from "./TripStatus.ts"

/** The result of an edit. Store it only if `issues` is empty. `advice` says why the fields are refused, and what can change. */
export interface Edited<A> {
  readonly result: A
  readonly issues: ReadonlyArray<FieldIssue>
  readonly advice?: string
}

/** A new trip without its reference. Its `customer_name` may still be missing and then comes from the customer's record. */
export interface TripDraft extends Omit<NewTrip, "reference" | "customer_name"> {
  readonly customer_name: string | null
}

const invalid = (field: string): FieldIssue => ({ field, issue: "invalid" })

/** An amount in minor units of `currency`; an issue of `field` if it has more decimals than the currency or is too large. */
const toMinorUnits = (
  amount: number | null,
  currency: Trip["currency"],
  field: string
): Edited<number | null> =>
  Option.match(minorPriceOf(amount, currency), {
    onNone: () => ({ result: null, issues: [{ field, ...Money.issueOfRefused(amount ?? 0, currency) }] }),
    onSome: (result) => ({ result, issues: [] })
  })

/** The draft that an input describes. It is pending if the business has yet to confirm it. */
export const draftOfInput = (
  acting: ActingBusiness,
  input: TripInput,
  confirmationRequired = false
): Edited<TripDraft> => {
  const { currency: given, force: _force, tolls_amount, total_amount, trip_date, ...plain } = input
  const currency = given ?? acting.currency
  const price = toMinorUnits(total_amount, currency, "total_amount")
  const tolls = toMinorUnits(tolls_amount, currency, "tolls_amount")
  return {
    result: {
      ...plain,
      business_id: acting.business_id,
      status: initialTripStatus(confirmationRequired),
      payment_status: "unpaid",
      trip_date: instantOf(trip_date, acting.timezone),
      total_minor: price.result,
      tolls_minor: tolls.result,
      flight_status: null,
      currency
    },
    issues: [...price.issues, ...tolls.issues]
  }
}

/** The trip with overridden fields. A changed currency keeps the amounts' figures: 12.50 USD becomes 12.50 CHF. */
const withOverrides = (acting: ActingBusiness, trip: Trip, overrides: TripOverrides): Edited<Trip> => {
  const {
    currency = trip.currency,
    force: _force,
    tolls_amount,
    total_amount,
    trip_date,
    ...plain
  } = overrides
  const majorOf = (sent: number | null | undefined, minor: number | null) =>
    sent === undefined ? Money.toMajorOrNull(minor, trip.currency) : sent
  const price = toMinorUnits(majorOf(total_amount, trip.total_minor), currency, "total_amount")
  const tolls = toMinorUnits(majorOf(tolls_amount, trip.tolls_minor), currency, "tolls_amount")
  const fee = toMinorUnits(
    Money.toMajorOrNull(trip.cancellation_fee_minor, trip.currency),
    currency,
    "cancellation_fee"
  )
  return {
    result: {
      ...trip,
      ...plain,
      trip_date: trip_date === undefined ? trip.trip_date : instantOf(trip_date, acting.timezone),
      total_minor: price.result,
      tolls_minor: tolls.result,
      cancellation_fee_minor: fee.result,
      currency
    },
    issues: [...price.issues, ...tolls.issues, ...fee.issues]
  }
}

/** The fields that a copy does not take over, with their values in the copy. */
const notCopied = emptyOf(Field.where(tripFields, ({ isCopied }) => isCopied === false))

/** The draft of a copy: the same booking as a new trip, unpaid and without drivers. */
export const draftOfCopy = (
  acting: ActingBusiness,
  trip: Trip,
  overrides: TripOverrides
): Edited<TripDraft> => {
  const { issues, result } = withOverrides(acting, { ...trip, ...notCopied }, overrides)
  const { reference: _reference, ...draft } = newTripOf(result)
  return { result: { ...draft, status: initialTripStatus(false), payment_status: "unpaid" }, issues }
}

/** The fields of an ended trip that a request may still change. */
const editableAfterEnd: ReadonlySet<string> = new Set(
  officeFields.filter((name) => Object.hasOwn(TripChanges.fields, name))
)

/** Fields that follow from others. */
const localTimes: ReadonlySet<string> = new Set(["pickup_at", "pickup_local"])

/** An issue for each field that changed although the trip has ended; named as in responses. */
const issuesOfEndedTrip = (before: Trip, after: Trip, timezone: string): ReadonlyArray<FieldIssue> => {
  if (isOpenTrip(before.status)) return []
  const recordBefore = tripRecord(before, timezone)
  const recordAfter: Readonly<Record<string, unknown>> = tripRecord(after, timezone)
  return Object.entries(recordBefore)
    .filter(([field, value]) => !localTimes.has(field) && !Equal.equals(value, recordAfter[field]))
    .filter(([field]) => !editableAfterEnd.has(field))
    .map(([field]) => invalid(field))
}

/** The advice for changes of fields that a trip that has ended keeps. */
const adviceOnEnded = (status: TripStatus): string => {
  const fields = [...editableAfterEnd].filter(
    (field) => status === "cancelled" || field !== "cancellation_fee"
  )
  return `The trip is ${status}: only ${fields.join(", ")} can still change. ${reopenRoute} reopens it`
}

const adviceOnReason = "cancel_reason is accepted only together with the status cancelled"
const adviceOnFee =
  "cancellation_fee is accepted together with the status cancelled, or once the trip is cancelled"

/** A trip with changed fields and its old status. `feeMinor` is the fee if it is cancelled next, in minor units. */
export interface FieldChange {
  readonly trip: Trip
  readonly feeMinor: number | null
}

/**
 * The trip with the changed fields; its status changes afterwards. `cancel_reason` is accepted only together with a
 * cancellation, `cancellation_fee` also for a trip that is cancelled already.
 */
export const withChanges = (
  acting: ActingBusiness,
  trip: Trip,
  changes: TripChanges
): Edited<FieldChange> => {
  const { cancel_reason, cancellation_fee, email: _email, status, ...overrides } = changes
  const { issues, result } = withOverrides(acting, trip, overrides)
  const isCancelled = trip.status === "cancelled"
  const isCancelling = !isCancelled && status === "cancelled"
  const fee =
    cancellation_fee === undefined
      ? { result: result.cancellation_fee_minor, issues: [] }
      : toMinorUnits(cancellation_fee, result.currency, "cancellation_fee")
  const after = isCancelled ? { ...result, cancellation_fee_minor: fee.result } : result
  const isReasonMisplaced =
    cancel_reason !== undefined && !isCancelling && cancel_reason !== trip.cancel_reason
  const isFeeMisplaced = (cancellation_fee ?? null) !== null && !isCancelling && !isCancelled
  const ofEnded = issuesOfEndedTrip(trip, after, acting.timezone)
  const allIssues = [
    ...issues,
    ...ofEnded,
    ...issuesOfReachedStops(trip, after),
    ...(isReasonMisplaced ? [invalid("cancel_reason")] : []),
    ...(isFeeMisplaced ? [invalid("cancellation_fee")] : fee.issues)
  ]
  const advice = [
    ...(ofEnded.length > 0 ? [adviceOnEnded(trip.status)] : []),
    ...(isReasonMisplaced ? [adviceOnReason] : []),
    ...(isFeeMisplaced ? [adviceOnFee] : [])
  ]
  return {
    result: { trip: after, feeMinor: fee.result },
    issues: [...new Map(allIssues.map((issue) => [issue.field, issue])).values()],
    ...(advice.length > 0 && { advice: advice.join(". ") })
  }
}
