/** The bodies of actions that email the customer. */
import { Schema } from "effect"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { omittable, yesOrNo } from "../../kernel/fields/Optional.ts"
import { CancelReason } from "../../trips/trip/TripStatus.ts"

/** The body of an action that emails the customer, if they have an address, unless `email` is false. */
export const CustomerEmailInput = Schema.Struct({ email: yesOrNo(true) })
export type CustomerEmailInput = typeof CustomerEmailInput.Type

/** {@link CustomerEmailInput} of an action that may ask for confirmation. */
export const ConfirmedCustomerEmailInput = Schema.Struct({
  ...CustomerEmailInput.fields,
  force: yesOrNo(false)
})
export type ConfirmedCustomerEmailInput = typeof ConfirmedCustomerEmailInput.Type

/** The body of `POST /bookings/{id}/cancel`. `cancel_reason` is that of the booking's trip, by default `operator`. */
export const BookingCancellation = Schema.Struct({
  ...ConfirmedCustomerEmailInput.fields,
  cancel_reason: omittable(oneOf(CancelReason))
})
export type BookingCancellation = typeof BookingCancellation.Type
