/** The trip of a booking of a transport product: booking it and cancelling it. */
import { Effect, Option } from "effect"
import { InvoiceTrips } from "../../billing/InvoiceTrips.ts"
import type { ActingBusiness } from "../../business/Business.ts"
import { CustomerRepository } from "../../customers/CustomerRepository.ts"
import { ConfirmationRequired, Conflict, type InvalidInput, refuseIssues } from "../../kernel/Errors.ts"
import { TripId } from "../../kernel/Ids.ts"
import { rfc3339 } from "../../kernel/time/WallClock.ts"
import type { TripRecord } from "../../trips/trip/Trip.ts"
import { TripInput } from "../../trips/trip/TripInput.ts"
import { type CancelReason, isOpenTrip, isStarted, type PaymentStatus } from "../../trips/trip/TripStatus.ts"
import { Trips } from "../../trips/Trips.ts"
import { type Booking, bookingRecord } from "./Booking.ts"
import { addressIssues } from "./BookingChecks.ts"
import { isTransport, type Product, tripTypeOf } from "../products/Product.ts"

const minutesOf = ({ ends_at, starts_at }: Booking) =>
  Math.round((ends_at.epochMilliseconds - starts_at.epochMilliseconds) / 60_000)

/** The input of a booking's trip. The addresses are the product's unless the booking has its own. */
const tripInputOf = (booking: Booking, product: Product, force: boolean): TripInput =>
  TripInput.make({
    trip_date: rfc3339(booking.starts_at),
    trip_type: tripTypeOf[product.kind] ?? "other",
    duration_minutes: minutesOf(booking),
    pickup_address: booking.pickup_address ?? product.pickup_address ?? "",
    dropoff_address: booking.dropoff_address ?? product.dropoff_address ?? "",
    customer_id: booking.customer_id,
    customer_name: booking.customer_name ?? "",
    customer_email: booking.customer_email,
    customer_phone: booking.customer_phone,
    participants_count: booking.participants_count,
    total_amount: bookingRecord(booking).total_amount,
    currency: booking.currency,
    notes: booking.notes,
    force
  })

/**
 * - `book`: books the trip of a booking, and returns its id; null for a product whose bookings do not become trips.
 *   `InvalidInput` for an address that neither the booking nor the product has any longer. `ConfirmationRequired`
 *   as booking a trip does. If the customer was deleted, the trip has none.
 * - `invoice`: puts the new trip of a booking on the invoice of the booking, if it has one, and returns its payment
 *   status.
 * - `cancel`: cancels the trip of a booking for a reason if it is open. `ConfirmationRequired` if it is under way, unless
 *   `force` is true.
 */
export const makeBookingTrip = Effect.gen(function* () {
  const { create, update } = yield* Trips
  const customers = yield* CustomerRepository
  const invoicing = yield* InvoiceTrips

  const book = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    booking: Booking,
    product: Product,
    force: boolean
  ): Effect.fn.Return<TripId | null, InvalidInput | ConfirmationRequired> {
    if (!isTransport(product)) return null
    yield* refuseIssues(addressIssues(product, booking))
    const customer =
      booking.customer_id === null
        ? Option.none()
        : yield* customers.find(acting.business_id, booking.customer_id)
    const customer_id = Option.getOrNull(customer)?.customer_id ?? null
    const { trip_id } = yield* create(acting, tripInputOf({ ...booking, customer_id }, product, force))
      // A new trip conflicts only by its external reference, and the trip of a booking has none.
      .pipe(Effect.catchTag("Conflict", Effect.die))
    return TripId.make(trip_id)
  })

  const invoice = (
    acting: ActingBusiness,
    { invoice_id, payment_status }: Booking,
    tripId: TripId | null
  ): Effect.Effect<PaymentStatus> =>
    invoice_id === null || tripId === null
      ? Effect.succeed(payment_status)
      : invoicing.attachWithoutLine(acting, invoice_id, tripId)

  const cancel = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    tripId: TripId,
    cancel_reason: CancelReason,
    force: boolean
  ): Effect.fn.Return<void, ConfirmationRequired> {
    const changes = { status: "cancelled" as const, cancel_reason, force: true }
    let hasEnded = false
    // The status is read with the trip locked: its driver may set out at the same time.
    const cancellable = ({ status }: TripRecord) => {
      hasEnded = !isOpenTrip(status)
      return hasEnded || (isStarted(status) && !force)
        ? Effect.fail(new Conflict({ reason: "The trip of the booking is under way" }))
        : Effect.void
    }
    yield* update(acting, tripId, changes, cancellable).pipe(
      // A trip that has ended or was deleted stays as it is.
      Effect.catchIf(
        ({ _tag }) => _tag === "NotFound" || hasEnded,
        () => Effect.void
      ),
      Effect.catchTag("Conflict", ({ reason }) =>
        Effect.fail(new ConfirmationRequired({ reason, atStake: [{ type: "trip", trip_id: tripId }] }))
      ),
      // The trip is open, and the change sets only the status.
      Effect.catchTags({ NotFound: Effect.die, IllegalTransition: Effect.die, InvalidInput: Effect.die })
    )
  })

  return { book, cancel, invoice }
})
