/** Changes of trips that email the customer (docs/api/sales.md). */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import {
  type ConfirmationRequired,
  Conflict,
  type InvalidInput,
  type NotFound,
  type UsageLimitReached
} from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import type { IllegalTransition } from "../kernel/StateMachine.ts"
import { instantOf, rfc3339 } from "../kernel/time/WallClock.ts"
import type { TripRecordWithWarnings } from "../trips/TripRecordWithWarnings.ts"
import type { TripRecord } from "../trips/Trip.ts"
import type { TripChanges } from "../trips/TripInput.ts"
import { Trips } from "../trips/Trips.ts"
import type { TripStatus } from "../trips/TripStatus.ts"
import { type CustomerEmail, type EmailData, makeCustomerEmails } from "./CustomerEmails.ts"
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

/** The emails about a pending trip, by its next status. */
const noticeOf: Readonly<Partial<Record<TripStatus, CustomerEmail["kind"]>>> = {
  confirmed: "booking_confirmed",
  cancelled: "booking_cancelled"
}

/**
 * - `update`: changes a trip and fails as `Trips.update` does. Confirming or cancelling a pending trip, which is a ride of
 *   the booking page, queues the email to the customer in the same transaction if the trip has an address, unless `email`
 *   is false; `UsageLimitReached` without an email credit, and the trip is not changed.
 */
export class TripNotices extends Context.Service<
  TripNotices,
  {
    readonly update: (
      acting: ActingBusiness,
      tripId: TripId,
      changes: TripChanges,
      precondition?: Precondition<TripRecord>
    ) => Effect.Effect<
      TripRecordWithWarnings,
      NotFound | InvalidInput | IllegalTransition | ConfirmationRequired | Conflict | UsageLimitReached
    >
  }
>()("@livery/domain/TripNotices") {
  static readonly layer = Layer.effect(
    TripNotices,
    Effect.gen(function* () {
      const { get, update: updateTrip } = yield* Trips
      const withEmail = yield* makeCustomerEmails

      /** Changes a trip that was pending when it was read; undefined if its status or its address has changed since. */
      const changeWithEmail = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        seen: TripRecord,
        { kind, to }: { readonly kind: CustomerEmail["kind"]; readonly to: string },
        change: (precondition: Precondition<TripRecord>) => ReturnType<typeof updateTrip>
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

      const update = Effect.fn("TripNotices.update")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        changes: TripChanges,
        precondition: Precondition<TripRecord> = unconditional
      ) {
        const change = (also: Precondition<TripRecord>) =>
          updateTrip(acting, tripId, changes, (trip) => Effect.andThen(precondition(trip), also(trip)))
        const kind = changes.status === undefined ? undefined : noticeOf[changes.status]
        if (kind === undefined || changes.email === false) return yield* change(unconditional)
        for (;;) {
          const seen = yield* get(acting, tripId)
          const to = changes.customer_email === undefined ? seen.customer_email : changes.customer_email
          if (seen.status !== "pending" || to === null) return yield* change(unconditional)
          const changed = yield* changeWithEmail(acting, seen, { kind, to }, change)
          if (changed !== undefined) return changed
        }
      })

      return TripNotices.of({ update })
    })
  )
}
