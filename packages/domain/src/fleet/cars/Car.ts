/** A car of the fleet (docs/api/fleet.md). */
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, CarId } from "../../kernel/Ids.ts"
import { VehicleClass } from "../../kernel/VehicleClass.ts"

const toDrivers = <F extends Field.Field>(field: F) => Field.says({ readers: ["drivers"] }, field)

/** The fields of a car. A car that is not `active` can be given to no further trip. `external_ref` is its name in another system. */
export const carFields = Field.ofNobody({
  car_id: toDrivers(Field.assigned(Value.id(CarId))),
  business_id: Field.internal(Value.id(BusinessId)),
  external_ref: Field.optional(Value.text(100)),
  name: toDrivers(Field.required(Value.text(200))),
  plate_number: toDrivers(Field.optional(Value.text(40))),
  make: toDrivers(Field.optional(Value.text(100))),
  model: toDrivers(Field.optional(Value.text(100))),
  year: Field.optional(Value.wholeNumber(1900, 2100)),
  color: toDrivers(Field.optional(Value.text(50))),
  vehicle_class: toDrivers(Field.optional(Value.oneOf(VehicleClass))),
  seats: toDrivers(Field.optional(Value.wholeNumber(1, 200))),
  luggage: Field.optional(Value.wholeNumber(0, 1000)),
  photo_url: Field.optional(Value.webAddress),
  active: Field.withDefault(Value.boolean, true),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
})

/** The input of a new car. */
export const CarInput = Field.inputOf(carFields)
export type CarInput = typeof CarInput.Type

/** A change of a car: at least one field; `null` clears any field but `name` and `active`. */
export const CarChanges = Field.changesOf(carFields)
export type CarChanges = typeof CarChanges.Type

/** A car as stored. */
export const Car = Field.storedOf(carFields)
export type Car = typeof Car.Type

/** A car in a response. */
export const CarRecord = Field.recordOf(carFields)
export type CarRecord = typeof CarRecord.Type

/** The record of a car. */
export const carRecord = Field.encoderOf(carFields)

/** The filters of the lists of cars and drivers. */
export interface FleetFilter {
  readonly active?: boolean | undefined
}
