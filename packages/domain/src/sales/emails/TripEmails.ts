/** Changes of trips that email the customer (docs/api/sales.md). */
import { Context, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import {
  type ConfirmationRequired,
  Conflict,
  type InvalidInput,
  type NotFound,
  type UsageLimitReached
} from "../../kernel/Errors.ts"
import { customerActor } from "../../kernel/CurrentActor.ts"
import { rehearsed } from "../../kernel/DryRun.ts"
import type { TripId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import type { IllegalTransition } from "../../kernel/StateMachine.ts"
import { instantOf, rfc3339 } from "../../kernel/time/WallClock.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import type { CustomerEmailKind } from "../../settings/EmailWording.ts"
import { TimelineRepository } from "../../trips/timeline/TimelineRepository.ts"
import type { TripRecord } from "../../trips/trip/Trip.ts"
import type { TripChanges } from "../../trips/trip/TripInput.ts"
import type { TripRecordWithWarnings } from "../../trips/trip/TripRecordWithWarnings.ts"
import { Trips } from "../../trips/Trips.ts"
import { isOpenTrip, type TripStatus } from "../../trips/trip/TripStatus.ts"
import { windowOf } from "../../trips/trip/TripWindow.ts"
import { BookingRepository } from "../bookings/BookingRepository.ts"
import { type EmailData, makeCustomerEmails } from "./CustomerEmails.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The data for an email about a trip. */
export const tripEmailData = (acting: ActingBusiness, trip: TripRecord): EmailData => {
  const { ends } = windowOf({ ...trip, trip_date: instantOf(trip.trip_date, acting.timezone) })
  return {
    reference: trip.reference,
    customer_id: trip.customer_id,
    customer_name: trip.customer_name,
    description: `${trip.pickup_address} – ${trip.dropoff_address}`,
    total_amount: trip.total_amount,
    currency: trip.currency,
    starts_at: trip.trip_date,
    ends_at: rfc3339(ends),
    timezone: trip.pickup_timezone,
    location: trip.pickup_address,
    trip_id: trip.trip_id
  }
}

/** The emails about a trip, by its next status. */
const emailKindOf: Readonly<Partial<Record<TripStatus, CustomerEmailKind>>> = {
  confirmed: "booking_confirmed",
  cancelled: "booking_cancelled"
}

type Refusal =
  | NotFound
  | InvalidInput
  | IllegalTransition
  | ConfirmationRequired
  | Conflict
  | UsageLimitReached

export class TripEmails extends Context.Service<TripEmails>()("@livery/domain/TripEmails", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const { get, update: updateTrip } = yield* Trips
    const timeline = yield* TimelineRepository
    const bookings = yield* BookingRepository
    const withEmail = yield* makeCustomerEmails

    type Change = (precondition: Precondition<TripRecord>) => ReturnType<typeof updateTrip>

    /** Changes a trip and emails its customer; undefined if its status has changed since it was read. */
    const changeWithEmail = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      seen: TripRecord,
      kind: CustomerEmailKind,
      change: Change
    ) {
      let isSame = true
      const asSeen: Precondition<TripRecord> = ({ status }) => {
        isSame = status === seen.status
        return isSame ? Effect.void : new Conflict({ reason: "The trip was changed meanwhile" })
      }
      return yield* withEmail(
        acting,
        {
          kind,
          isRequired: true,
          recipientOf: ({ customer_email }) => customer_email,
          about: (trip) => ({
            ...tripEmailData(acting, trip),
            neverConfirmed: trip.status === "cancelled" && seen.status === "pending"
          })
        },
        change(asSeen)
      ).pipe(
        Effect.catchIf(
          () => !isSame,
          () => Effect.void
        )
      )
    })

    /**
     * Whether a visitor of the booking page booked the trip as a ride. The trip of a booking is none: the cancellation of
     * the booking tells its customer.
     */
    const isRide = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, tripId: TripId) {
      const entries = yield* timeline.list(business_id, tripId, { page: 1, perPage: 1 })
      const isOfCustomer = Option.exists(entries, ({ items: [first] }) => first?.actor === customerActor)
      return isOfCustomer && !(yield* bookings.hasTrip(business_id, tripId))
    })

    /** Changes a trip as it is now; undefined if another request has changed it since. */
    const attempt = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      tripId: TripId,
      { email, status }: TripChanges,
      kind: CustomerEmailKind,
      change: Change
    ) {
      if (email === false) return yield* change(unconditional)
      const seen = yield* get(acting, tripId)
      const isCancelled = status === "cancelled" && isOpenTrip(seen.status)
      const isTold = seen.status === "pending" || (isCancelled && (yield* isRide(acting, tripId)))
      return isTold ? yield* changeWithEmail(acting, seen, kind, change) : yield* change(unconditional)
    })

    const changeAndTell = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      tripId: TripId,
      changes: TripChanges,
      precondition: Precondition<TripRecord>
    ): Effect.fn.Return<TripRecordWithWarnings, Refusal> {
      const change: Change = (also) =>
        updateTrip(acting, tripId, changes, (trip) => Effect.andThen(precondition(trip), also(trip)))
      const kind = changes.status === undefined ? undefined : emailKindOf[changes.status]
      if (kind === undefined) return yield* change(unconditional)
      for (;;) {
        const changed = yield* attempt(acting, tripId, changes, kind, change)
        if (changed !== undefined) return changed
      }
    })

    return {
      /**
       * Changes a trip and fails as `Trips.update` does. These changes queue an email to the customer in the same
       * transaction if there is an address, unless `email` is false: confirming or cancelling a pending trip, and
       * cancelling a ride that was booked on the booking page. `UsageLimitReached` without an email credit, and
       * nothing is changed. With `dry_run`, the result is the same, but nothing is changed or queued.
       */
      update: traced("TripEmails.update")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        changes: TripChanges,
        precondition: Precondition<TripRecord> = unconditional
      ): Effect.fn.Return<TripRecordWithWarnings, Refusal> {
        const work = changeAndTell(acting, tripId, changes, precondition)
        return yield* changes.dry_run === true ? rehearsed(transaction, work) : work
      })
    }
  })
}) {
  static readonly layer = Layer.effect(TripEmails, TripEmails.make)
}
