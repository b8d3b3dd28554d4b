/** A driver of the business, with or without an account to sign in with (docs/api/fleet.md). */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { yesOrNo } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, CarId, DriverId, UserId } from "../../kernel/Ids.ts"

/**
 * The fields of a driver. A driver who is not `active` can be given no further trip. `default_car_id` is the car that
 * the driver usually drives; a plan of assignments starts and ends the driver's day at `home_lat` and `home_lng`; `user_id` is the account that signs in as this driver, once an invitation was accepted.
 */
export const driverFields = {
  driver_id: Field.assigned(Value.id(DriverId)),
  business_id: Field.internal(Value.id(BusinessId)),
  name: Field.says({ person: "driver" }, Field.required(Value.name(200))),
  email: Field.says({ person: "driver" }, Field.optional(Value.emailAddress)),
  phone: Field.says({ person: "driver" }, Field.optional(Value.text(40))),
  license_number: Field.says({ person: "driver" }, Field.optional(Value.text(60))),
  license_expires_on: Field.says({ person: "driver" }, Field.optional(Value.day)),
  default_car_id: Field.optional(Value.id(CarId)),
  photo_url: Field.says({ person: "driver" }, Field.optional(Value.webAddress)),
  home_address: Field.says({ person: "driver" }, Field.optional(Value.text(500))),
  home_lat: Field.says({ person: "driver" }, Field.optional(Value.latitude)),
  home_lng: Field.says({ person: "driver" }, Field.optional(Value.longitude)),
  active: Field.withDefault(Value.boolean, true),
  user_id: Field.assignedOrNull(Value.id(UserId)),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** Confirms that the business pays for a seat if the plan allows no further driver. */
const confirm_seat = Field.flag(yesOrNo(false))

/** Confirms that a driver with open trips becomes inactive. */
const force = { change: Schema.optionalKey(Schema.NullOr(Schema.Boolean)), isFlag: true }

/** The input of a new driver. */
export const DriverInput = Field.inputOf({ ...driverFields, confirm_seat })
export type DriverInput = typeof DriverInput.Type

/** The fields of a driver that callers set. */
export type DriverProfile = Omit<DriverInput, "confirm_seat">

/**
 * A change of a driver: at least one field besides `confirm_seat` and `force`; `null` clears any field but `name`
 * and `active`.
 */
export const DriverChanges = Field.changesOf({ ...driverFields, confirm_seat, force })
export type DriverChanges = typeof DriverChanges.Type

/** A driver as stored. */
export const Driver = Field.storedOf(driverFields)
export type Driver = typeof Driver.Type

/** A driver in a response. */
export const DriverRecord = Field.recordOf(driverFields)
export type DriverRecord = typeof DriverRecord.Type

/** The record of a driver. */
export const driverRecord = Field.encoderOf(driverFields)
