/** A driver of the business, with or without an account to sign in with (specification, Dispatch and fleet). */
import { type DateTime, Schema } from "effect"
import { check } from "../kernel/fields/FieldIssue.ts"
import { type BusinessId, CarId, type DriverId, type UserId } from "../kernel/Ids.ts"
import { clearableEmailAddress, optionalEmailAddress } from "../kernel/fields/EmailAddress.ts"
import { clearableText, optionalText, text } from "../kernel/fields/Text.ts"
import { clearableWebAddress, optionalWebAddress } from "../kernel/fields/WebAddress.ts"
import { orNull, yesOrNo } from "../kernel/fields/Optional.ts"
import { CalendarDay, rfc3339 } from "../kernel/time/WallClock.ts"
import { activeUnlessTold } from "./Car.ts"

const lengths = { name: 200, phone: 40, license: 60 }

/** Says that a paid seat is wanted, where the plan's drivers are used up. */
const confirmSeat = yesOrNo(false)

/** What is told of a driver. `default_car_id` is the car that the driver usually drives. */
export const DriverProfile = Schema.Struct({
  name: text(lengths.name),
  email: optionalEmailAddress,
  phone: optionalText(lengths.phone),
  license_number: optionalText(lengths.license),
  license_expires_on: orNull(CalendarDay),
  default_car_id: orNull(CarId),
  photo_url: optionalWebAddress,
  active: activeUnlessTold
})
export type DriverProfile = typeof DriverProfile.Type

/** What `POST /drivers` takes. */
export const DriverInput = Schema.Struct({ ...DriverProfile.fields, confirm_seat: confirmSeat })
export type DriverInput = typeof DriverInput.Type

/**
 * What `PATCH /drivers/{id}` takes: at least one field beside `confirm_seat`; null forgets all but the name and
 * `active`.
 */
export const DriverChanges = Schema.Struct({
  name: Schema.optionalKey(text(lengths.name)),
  email: Schema.optionalKey(clearableEmailAddress),
  phone: Schema.optionalKey(clearableText(lengths.phone)),
  license_number: Schema.optionalKey(clearableText(lengths.license)),
  license_expires_on: Schema.optionalKey(Schema.NullOr(CalendarDay)),
  default_car_id: Schema.optionalKey(Schema.NullOr(CarId)),
  photo_url: Schema.optionalKey(clearableWebAddress),
  active: Schema.optionalKey(Schema.Boolean),
  confirm_seat: confirmSeat
}).check(
  check<object>("required", (changes) => Object.keys(changes).some((field) => field !== "confirm_seat"), {
    minProperties: 1
  })
)
export type DriverChanges = typeof DriverChanges.Type

/** A driver as stored. One that is not active can be given no further trip. */
export interface Driver extends DriverProfile {
  readonly driver_id: DriverId
  readonly business_id: BusinessId
  /** The account that signs in as this driver, once the invitation was accepted. */
  readonly user_id: UserId | null
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** A driver in an answer. `user_id` is the account that signs in as this driver, null while there is none. */
export const DriverRecord = Schema.Struct({
  driver_id: Schema.Int,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  license_number: Schema.NullOr(Schema.String),
  license_expires_on: Schema.NullOr(Schema.String),
  default_car_id: Schema.NullOr(Schema.Int),
  photo_url: Schema.NullOr(Schema.String),
  active: Schema.Boolean,
  user_id: Schema.NullOr(Schema.Int),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type DriverRecord = typeof DriverRecord.Type

/** The record of a driver. */
export const driverRecord = ({
  business_id: _business,
  created_at,
  updated_at,
  ...driver
}: Driver): DriverRecord => ({
  ...driver,
  created_at: rfc3339(created_at),
  updated_at: rfc3339(updated_at)
})
