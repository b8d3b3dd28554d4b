/** The trip of a booking of a transport product: booking it, joining it and cancelling it. */
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
import { BookingSteps, departureCancelled } from "./BookingSteps.ts"
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

/** The input of the trip of a departure: nobody is its customer, and its bookings have the prices. */
const departureInputOf = (booking: Booking, product: Product, force: boolean): TripInput =>
  TripInput.make({
    trip_date: rfc3339(booking.starts_at),
    trip_type: tripTypeOf[product.kind] ?? "other",
    duration_minutes: minutesOf(booking),
    pickup_address: product.pickup_address ?? "",
    dropoff_address: product.dropoff_address ?? "",
    customer_name: product.name,
    participants_count: booking.participants_count,
    force
  })

/**
 * - `book`: books the trip of a booking, and returns its id; null for a product whose bookings do not become trips. A booking
 *   of a departure joins the trip of the bookings that were confirmed before; `Conflict` if that was cancelled or has ended.
 *   `InvalidInput` for an address that neither the booking nor the product has any longer. `ConfirmationRequired`
 *   as booking a trip does. If the customer was deleted, the trip has none.
 * - `invoice`: puts the new trip of a booking on the invoice of the booking, if it has one, and returns the payment
 *   status of the booking. The trip of a departure is on no invoice of a booking.
 * - `leave`: cancels the trip of a booking for a reason if it is open. The trip of a departure loses the participants of
 *   the booking, and is cancelled with its last booking. `ConfirmationRequired` if it is under way, unless `force` is true.
 */
export const makeBookingTrip = Effect.gen(function* () {
  const { create, update } = yield* Trips
  const { departureOf } = yield* BookingSteps
  const customers = yield* CustomerRepository
  const invoicing = yield* InvoiceTrips

  const bookNew = (acting: ActingBusiness, input: TripInput) =>
    create(acting, input).pipe(
      // A new trip conflicts only by its external reference, and the trip of a booking has none.
      Effect.catchTag("Conflict", Effect.die),
      Effect.map(({ trip_id }) => TripId.make(trip_id))
    )

  const join = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    booking: Booking,
    product: Product,
    force: boolean
  ): Effect.fn.Return<TripId, InvalidInput | Conflict | ConfirmationRequired> {
    const departure = yield* departureOf(booking)
    if (departure?.is_cancelled === true) return yield* departureCancelled
    if (departure === undefined || departure.trip_id === null)
      return yield* bookNew(acting, departureInputOf(booking, product, force))
    const changes = { participants_count: departure.on_trip + booking.participants_count, force: true }
    const joinable = ({ status }: TripRecord) =>
      isOpenTrip(status) ? Effect.void : Effect.fail(new Conflict({ reason: "That departure has ended" }))
    yield* update(acting, departure.trip_id, changes, joinable).pipe(
      Effect.catchTag("NotFound", () => Effect.fail(departureCancelled)),
      // The trip is open, and the change sets only a number.
      Effect.catchTags({ IllegalTransition: Effect.die, InvalidInput: Effect.die })
    )
    return departure.trip_id
  })

  const book = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    booking: Booking,
    product: Product,
    force: boolean
  ): Effect.fn.Return<TripId | null, InvalidInput | Conflict | ConfirmationRequired> {
    if (!isTransport(product)) return null
    if (booking.shares_trip) return yield* join(acting, booking, product, force)
    yield* refuseIssues(addressIssues(product, booking))
    const customer =
      booking.customer_id === null
        ? Option.none()
        : yield* customers.find(acting.business_id, booking.customer_id)
    const customer_id = Option.getOrNull(customer)?.customer_id ?? null
    return yield* bookNew(acting, tripInputOf({ ...booking, customer_id }, product, force))
  })

  const invoice = (
    acting: ActingBusiness,
    { invoice_id, payment_status, shares_trip }: Booking,
    tripId: TripId | null
  ): Effect.Effect<PaymentStatus> =>
    invoice_id === null || tripId === null || shares_trip
      ? Effect.succeed(payment_status)
      : invoicing.attachWithoutLine(acting, invoice_id, tripId)

  /** The participants of the other bookings on the trip of a departure. */
  const othersOf = Effect.fnUntraced(function* (booking: Booking) {
    if (!booking.shares_trip) return 0
    const departure = yield* departureOf(booking)
    return departure === undefined ? 0 : departure.on_trip - booking.participants_count
  })

  const leave = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    booking: Booking,
    cancel_reason: CancelReason,
    force: boolean
  ): Effect.fn.Return<void, ConfirmationRequired> {
    const tripId = booking.trip_id
    if (tripId === null) return
    const others = yield* othersOf(booking)
    const changes =
      others > 0
        ? { participants_count: others, force: true }
        : { status: "cancelled" as const, cancel_reason, force: true }
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
      // The trip is open, and the change sets only the status or a number.
      Effect.catchTags({ NotFound: Effect.die, IllegalTransition: Effect.die, InvalidInput: Effect.die })
    )
  })

  return { book, invoice, leave }
})
