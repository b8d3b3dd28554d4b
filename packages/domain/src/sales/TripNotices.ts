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
import { TimelineRepository } from "../trips/timeline/TimelineRepository.ts"
import type { TripRecord } from "../trips/trip/Trip.ts"
import type { TripChanges } from "../trips/trip/TripInput.ts"
import type { TripRecordWithWarnings } from "../trips/trip/TripRecordWithWarnings.ts"
import { Trips } from "../trips/Trips.ts"
import { isOpenTrip, type TripStatus } from "../trips/trip/TripStatus.ts"
import { type CustomerEmail, type EmailData, makeCustomerEmails } from "./CustomerEmails.ts"
import { windowOf } from "../trips/trip/TripWindow.ts"
import { traced } from "../kernel/TracedFunction.ts"

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
 *   transaction if there is an address, unless `email` is false: confirming or cancelling a pending trip, and cancelling a
 *   ride that was booked on the booking page. `UsageLimitReached` without an email credit, and nothing is changed.
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
      const { get, update: updateTrip } = yield* Trips
      const timeline = yield* TimelineRepository
      const withEmail = yield* makeCustomerEmails

      type Change = (precondition: Precondition<TripRecord>) => ReturnType<typeof updateTrip>

      /** Changes a trip and emails its customer; undefined if its status or its address has changed since it was read. */
      const changeWithEmail = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        seen: TripRecord,
        { kind, to }: { readonly kind: CustomerEmail["kind"]; readonly to: string },
        change: Change
      ) {
        let isSame = true
        const asSeen: Precondition<TripRecord> = (current) => {
          isSame = current.status === seen.status && current.customer_email === seen.customer_email
          return isSame ? Effect.void : new Conflict({ reason: "The trip was changed meanwhile" })
        }
        const email = { kind, to, isRequired: true }
        return yield* withEmail(acting, email, change(asSeen), (trip) => tripEmailData(acting, trip)).pipe(
          Effect.catchIf(
            () => !isSame,
            () => Effect.void
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
        const to = customer_email === undefined ? seen.customer_email : customer_email
        if (email === false || to === null) return yield* change(unconditional)
        const isCancelled = status === "cancelled" && isOpenTrip(seen.status)
        const isTold = seen.status === "pending" || (isCancelled && (yield* isOfBookingPage(acting, tripId)))
        return isTold
          ? yield* changeWithEmail(acting, seen, { kind, to }, change)
          : yield* change(unconditional)
      })

      const update = traced("TripNotices.update")(function* (
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
  )
}
