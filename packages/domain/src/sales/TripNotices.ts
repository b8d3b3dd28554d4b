/** Changes of trips that email the customer (docs/api/sales.md). */
import { Context, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import {
  type ConfirmationRequired,
  Conflict,
  type InvalidInput,
  type NotFound,
  type UsageLimitReached
} from "../kernel/Errors.ts"
import { customerActor } from "../kernel/CurrentActor.ts"
import type { TripId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import type { IllegalTransition } from "../kernel/StateMachine.ts"
import { instantOf, rfc3339 } from "../kernel/time/WallClock.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { TimelineRepository } from "../trips/TimelineRepository.ts"
import type { TripRecord } from "../trips/Trip.ts"
import type { TripChanges } from "../trips/TripInput.ts"
import type { TripRecordWithWarnings } from "../trips/TripRecordWithWarnings.ts"
import { Trips } from "../trips/Trips.ts"
import { isOpenTrip, type TripStatus } from "../trips/TripStatus.ts"
import { type Booking, bookingMachine, bookingRecord } from "./Booking.ts"
import { BookingRepository } from "./BookingRepository.ts"
import { BookingSteps } from "./BookingSteps.ts"
import { type CustomerEmail, type EmailData, makeCustomerEmails } from "./CustomerEmails.ts"
import { bookingEmailData } from "./CustomerNotices.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { windowOf } from "../trips/TripWindow.ts"

/** The data for an email about a trip. */
export const tripEmailData = (acting: ActingBusiness, trip: TripRecord): EmailData => {
  const { ends } = windowOf({ ...trip, trip_date: instantOf(trip.trip_date, acting.timezone) })
  return {
    reference: trip.reference,
    customer_name: trip.customer_name,
    description: `${trip.pickup_address} – ${trip.dropoff_address}`,
    total_amount: trip.total_amount,
    currency: trip.currency,
    starts_at: trip.trip_date,
    ends_at: rfc3339(ends),
    location: trip.pickup_address
  }
}

/** The emails about a trip, by its next status. */
const noticeOf: Readonly<Partial<Record<TripStatus, CustomerEmail["kind"]>>> = {
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

/**
 * - `update`: changes a trip and fails as `Trips.update` does. These changes queue an email to the customer in the same
 *   transaction if there is an address, unless `email` is false: confirming or cancelling a pending trip, cancelling a ride
 *   that was booked on the booking page, and cancelling the trip of a booking, which cancels the booking, too.
 *   `UsageLimitReached` without an email credit, and nothing is changed.
 */
export class TripNotices extends Context.Service<
  TripNotices,
  {
    readonly update: (
      acting: ActingBusiness,
      tripId: TripId,
      changes: TripChanges,
      precondition?: Precondition<TripRecord>
    ) => Effect.Effect<TripRecordWithWarnings, Refusal>
  }
>()("@livery/domain/TripNotices") {
  static readonly layer = Layer.effect(
    TripNotices,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const { get, update: updateTrip } = yield* Trips
      const timeline = yield* TimelineRepository
      const bookings = yield* BookingRepository
      const products = yield* ProductRepository
      const steps = yield* BookingSteps
      const withEmail = yield* makeCustomerEmails

      type Change = (precondition: Precondition<TripRecord>) => ReturnType<typeof updateTrip>

      /**
       * Runs a change that calls `isSame` with whether a record is as it was when it was read; undefined if it is not, and nothing
       * is changed then.
       */
      const unlessChanged = <A, E>(
        change: (requireSame: (isSame: boolean) => Effect.Effect<void, Conflict>) => Effect.Effect<A, E>
      ) =>
        Effect.suspend(() => {
          let isSame = true
          const requireSame = (same: boolean) => {
            isSame = same
            return same ? Effect.void : Effect.fail(new Conflict({ reason: "It was changed meanwhile" }))
          }
          return Effect.catchIf(
            change(requireSame),
            () => !isSame,
            () => Effect.void
          )
        })

      /** Changes a trip and emails its customer; undefined if its status or its address has changed since it was read. */
      const changeWithEmail = (
        acting: ActingBusiness,
        seen: TripRecord,
        { kind, to }: { readonly kind: CustomerEmail["kind"]; readonly to: string },
        change: Change
      ) =>
        unlessChanged((requireSame) =>
          withEmail(
            acting,
            { kind, to, isRequired: true },
            change((now) =>
              requireSame(now.status === seen.status && now.customer_email === seen.customer_email)
            ),
            (trip) => tripEmailData(acting, trip)
          )
        )

      /** Cancels a trip with its booking, and emails the customer; undefined if the booking has changed since it was read. */
      const cancelWithBooking = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        booking: Booking,
        to: string | null,
        change: Change
      ) {
        const { booking_id, business_id, customer_email, product_id } = booking
        const product = Option.getOrUndefined(yield* products.find(business_id, product_id))
        return yield* unlessChanged((requireSame) =>
          withEmail(
            acting,
            { kind: "booking_cancelled", to, isRequired: true },
            transaction.run(
              Effect.gen(function* () {
                const locked = Option.getOrUndefined(
                  yield* Effect.option(steps.lock(business_id, booking_id))
                )
                if (locked?.status !== booking.status || locked.customer_email !== customer_email)
                  return yield* requireSame(false)
                const changed = yield* change(unconditional)
                yield* steps.cancel(locked)
                return changed
              })
            ),
            () => bookingEmailData(bookingRecord(booking), product)
          )
        )
      })

      /** Whether a customer booked the trip on the booking page, and was told that it was booked. */
      const isOfBookingPage = (acting: ActingBusiness, tripId: TripId) =>
        Effect.map(timeline.list(acting.business_id, tripId, { page: 1, perPage: 1 }), (entries) =>
          Option.exists(entries, ({ items: [first] }) => first?.actor === customerActor)
        )

      /** Changes a trip as it is now; undefined if another request has changed it since. */
      const attempt = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        tripId: TripId,
        { customer_email, email, status }: TripChanges,
        kind: CustomerEmail["kind"],
        change: Change
      ) {
        const seen = yield* get(acting, tripId)
        const ofTrip =
          email === false ? null : customer_email === undefined ? seen.customer_email : customer_email
        const isCancelled = status === "cancelled" && isOpenTrip(seen.status)
        const booking = isCancelled
          ? Option.getOrUndefined(yield* bookings.ofTrip(acting.business_id, tripId))
          : undefined
        if (booking !== undefined && bookingMachine.can(booking.status, "cancelled", "operator")) {
          const to = email === false ? null : (booking.customer_email ?? ofTrip)
          return yield* cancelWithBooking(acting, booking, to, change)
        }
        const isTold =
          seen.status === "pending" ||
          (isCancelled && booking === undefined && (yield* isOfBookingPage(acting, tripId)))
        return ofTrip !== null && isTold
          ? yield* changeWithEmail(acting, seen, { kind, to: ofTrip }, change)
          : yield* change(unconditional)
      })

      const update = Effect.fn("TripNotices.update")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        changes: TripChanges,
        precondition: Precondition<TripRecord> = unconditional
      ): Effect.fn.Return<TripRecordWithWarnings, Refusal> {
        const change: Change = (also) =>
          updateTrip(acting, tripId, changes, (trip) => Effect.andThen(precondition(trip), also(trip)))
        const kind = changes.status === undefined ? undefined : noticeOf[changes.status]
        if (kind === undefined) return yield* change(unconditional)
        for (;;) {
          const changed = yield* attempt(acting, tripId, changes, kind, change)
          if (changed !== undefined) return changed
        }
      })

      return TripNotices.of({ update })
    })
  ).pipe(Layer.provide(BookingSteps.layer))
}
