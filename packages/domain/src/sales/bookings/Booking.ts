/** A booking: places of a product for a customer at a time (docs/api/sales.md). */
import { DateTime, Duration, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { described, omittable, orNull } from "../../kernel/fields/Optional.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BookingId, BusinessId, CustomerId, InvoiceId, ProductId, TripId } from "../../kernel/Ids.ts"
import * as Money from "../../kernel/money/Money.ts"
import * as StateMachine from "../../kernel/StateMachine.ts"
import { namedByCustomerLater } from "../../trips/trip/NamedByCustomer.ts"
import { PaymentStatus } from "../../trips/trip/TripStatus.ts"
import type { Places } from "../products/ProductRepository.ts"

/** The status of a booking. */
export const BookingStatus = Schema.Literals(["pending", "confirmed", "completed", "cancelled", "expired"])
export type BookingStatus = typeof BookingStatus.Type

/** The booking's transition table. A pending booking expires unless it is confirmed or paid for in time. */
export const bookingMachine = StateMachine.make<BookingStatus>("booking", BookingStatus.literals, {
  pending: {
    confirmed: ["operator", "payment"],
    cancelled: ["operator", "customer"],
    expired: ["system"]
  },
  confirmed: { completed: ["operator"], cancelled: ["operator", "customer"] },
  completed: {},
  cancelled: {},
  expired: {}
})

/** Whether a booking in this status holds places. A completed one keeps them, because its time has passed. */
export const holdsPlaces = (status: BookingStatus): boolean => status !== "cancelled" && status !== "expired"

/** How long a pending booking holds its places, but not beyond its start. */
const bookingHold = Duration.hours(24)

/** When a booking that is made now expires. */
export const holdUntil = (now: DateTime.Utc, startsAt: DateTime.Utc): DateTime.Utc =>
  DateTime.min(DateTime.addDuration(now, bookingHold), startsAt)

/**
 * The fields of a booking. `ends_at`, the price and the currency are those of the product at the time of the booking.
 * `participant_minor` is the price of each participant, null if the price is for the whole booking.
 * `expires_at` is null unless the booking is pending; a record shows it only while the booking can expire. `trip_id` is the
 * trip of a confirmed booking of a transport product. With `shares_trip`, it is the one trip of a departure, and the booking
 * has an invoice of its own. `invoice_id` is the invoice that the booking is paid with, and
 * `payment_status` follows it; a booking with a trip of its own has both of the trip.
 */
export const bookingFields = {
  booking_id: Field.assigned(Value.id(BookingId)),
  business_id: Field.internal(Value.id(BusinessId)),
  reference: Field.says({ person: "nobody" }, Field.assigned(Value.unboundedText)),
  status: { ...Field.assigned(Value.oneOf(BookingStatus)), change: omittable(oneOf(BookingStatus)) },
  payment_status: Field.assigned(Value.oneOf(PaymentStatus)),
  allowed_transitions: Field.says({ person: "nobody" }, Field.computed(Schema.Array(BookingStatus))),
  product_id: { ...Field.assigned(Value.id(ProductId)), input: ProductId },
  starts_at: Field.required(Value.instant),
  ends_at: Field.assigned(Value.instant),
  participants_count: Field.withDefault(Value.wholeNumber(1, 10_000), 1),
  customer_id: Field.optional(Value.id(CustomerId)),
  customer_name: Field.says(
    { person: "customer" },
    {
      ...Field.optional(Value.text(200)),
      input: orNull(Value.text(200).optional.pipe(described("Required unless `customer_id` is sent.")))
    }
  ),
  customer_email: Field.says({ person: "customer" }, Field.optional(Value.emailAddress)),
  customer_phone: Field.says({ person: "customer" }, Field.optional(Value.text(40))),
  pickup_address: Field.says({ person: "customer" }, Field.optional(Value.text(500))),
  dropoff_address: Field.says({ person: "customer" }, Field.optional(Value.text(500))),
  notes: Field.says({ person: "customer" }, Field.optional(Value.text(5000))),
  total_amount: Field.says({ person: "nobody" }, Field.computed(Value.amount.wire)),
  total_minor: Field.internal(Value.minorAmount),
  participant_minor: Field.internal({ stored: Schema.NullOr(Schema.Int) }),
  currency: Field.says({ person: "nobody" }, Field.assigned(Value.currency)),
  trip_id: Field.assignedOrNull(Value.id(TripId)),
  shares_trip: Field.assigned(Value.boolean),
  invoice_id: Field.assignedOrNull(Value.id(InvoiceId)),
  expires_at: Field.assignedOrNull(Value.instant),
  confirmed_at: Field.assignedOrNull(Value.instant),
  cancelled_at: Field.assignedOrNull(Value.instant),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** The body of `POST /bookings`. */
export const BookingInput = Field.inputOf(bookingFields).check(namedByCustomerLater)
export type BookingInput = typeof BookingInput.Type

/** The body of `PATCH /bookings/{id}`. `status` may become `completed`. */
export const BookingChanges = Field.changesOf(bookingFields)
export type BookingChanges = typeof BookingChanges.Type

/** A booking as stored. */
export const Booking = Field.storedOf(bookingFields)
export type Booking = typeof Booking.Type

/** A booking in responses. */
export const BookingRecord = Field.recordOf(bookingFields)
export type BookingRecord = typeof BookingRecord.Type

const encode = Field.encoderOf<typeof bookingFields, undefined>(bookingFields, {
  allowed_transitions: ({ status }) => bookingMachine.next(status, "operator"),
  total_amount: ({ currency, total_minor }) => Money.toMajor({ minor: total_minor, currency })
})

/**
 * Whether the booking expires at its `expires_at`. A payment, also a part of the price, holds a pending booking until
 * the business confirms or cancels it, or returns the money.
 */
const canExpire = ({ payment_status, status }: Booking): boolean =>
  bookingMachine.can(status, "expired") && payment_status === "unpaid"

/** The record of a booking. */
export const bookingRecord = (booking: Booking): BookingRecord =>
  encode(canExpire(booking) ? booking : { ...booking, expires_at: null }, undefined)

/** The booking as it is at `now`: expired, if its time to be confirmed or paid for has passed. */
export const bookingAt = (booking: Booking, now: DateTime.Utc): Booking =>
  canExpire(booking) &&
  booking.expires_at !== null &&
  booking.expires_at.epochMilliseconds <= now.epochMilliseconds
    ? { ...booking, status: "expired", expires_at: null, updated_at: booking.expires_at }
    : booking

/** The price of a booking for that many participants, at the price of the time when it was made, in minor units. */
export const bookingTotal = (
  { participant_minor, total_minor }: Pick<Booking, "participant_minor" | "total_minor">,
  participants: number
): number => (participant_minor === null ? total_minor : participant_minor * participants)

/** The places that a booking takes. */
export const placesOf = (
  booking: Pick<Booking, "product_id" | "starts_at" | "ends_at" | "participants_count">
): Places => ({
  productId: booking.product_id,
  from: booking.starts_at,
  to: booking.ends_at,
  count: booking.participants_count
})
