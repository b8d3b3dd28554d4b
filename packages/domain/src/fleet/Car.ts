/** A car of the fleet (specification, Dispatch and fleet). */
import { type DateTime, Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import type { BusinessId, CarId } from "../kernel/Ids.ts"
import { clearableText, optionalText, text } from "../kernel/fields/Text.ts"
import { clearableWebAddress, optionalWebAddress } from "../kernel/fields/WebAddress.ts"
import { orNull, yesOrNo } from "../kernel/fields/Optional.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"

/** What kind of car it is. */
export const VehicleClass = Schema.Literals(["sedan", "suv", "van", "minibus", "bus", "limousine", "other"])
export type VehicleClass = typeof VehicleClass.Type

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(
    check<number>("out_of_range", (value) => value >= minimum && value <= maximum, { minimum, maximum })
  )

const ModelYear = between(1900, 2100)
const Seats = between(1, 200)
const Luggage = between(0, 1000)

const lengths = { name: 200, plate: 40, make: 100, model: 100, color: 50 }

/** Whether something is in use: so unless told. */
export const activeUnlessTold = yesOrNo(true)

/** What `POST /cars` takes. */
export const CarInput = Schema.Struct({
  name: text(lengths.name),
  plate_number: optionalText(lengths.plate),
  make: optionalText(lengths.make),
  model: optionalText(lengths.model),
  year: orNull(ModelYear),
  color: optionalText(lengths.color),
  vehicle_class: orNull(oneOf(VehicleClass)),
  seats: orNull(Seats),
  luggage: orNull(Luggage),
  photo_url: optionalWebAddress,
  active: activeUnlessTold
})
export type CarInput = typeof CarInput.Type

/** What `PATCH /cars/{id}` takes: at least one of these; null forgets all but the name and `active`. */
export const CarChanges = Schema.Struct({
  name: Schema.optionalKey(text(lengths.name)),
  plate_number: Schema.optionalKey(clearableText(lengths.plate)),
  make: Schema.optionalKey(clearableText(lengths.make)),
  model: Schema.optionalKey(clearableText(lengths.model)),
  year: Schema.optionalKey(Schema.NullOr(ModelYear)),
  color: Schema.optionalKey(clearableText(lengths.color)),
  vehicle_class: Schema.optionalKey(Schema.NullOr(oneOf(VehicleClass))),
  seats: Schema.optionalKey(Schema.NullOr(Seats)),
  luggage: Schema.optionalKey(Schema.NullOr(Luggage)),
  photo_url: Schema.optionalKey(clearableWebAddress),
  active: Schema.optionalKey(Schema.Boolean)
}).check(check<object>("required", (changes) => Object.keys(changes).length > 0, { minProperties: 1 }))
export type CarChanges = typeof CarChanges.Type

/** The filters of `GET /cars` and `GET /drivers`. */
export interface FleetFilter {
  readonly active?: boolean | undefined
}

/** A car as stored. One that is not active can be given to no further trip. */
export interface Car extends CarInput {
  readonly car_id: CarId
  readonly business_id: BusinessId
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** A car in an answer. */
export const CarRecord = Schema.Struct({
  car_id: Schema.Int,
  name: Schema.String,
  plate_number: Schema.NullOr(Schema.String),
  make: Schema.NullOr(Schema.String),
  model: Schema.NullOr(Schema.String),
  year: Schema.NullOr(Schema.Int),
  color: Schema.NullOr(Schema.String),
  vehicle_class: Schema.NullOr(VehicleClass),
  seats: Schema.NullOr(Schema.Int),
  luggage: Schema.NullOr(Schema.Int),
  photo_url: Schema.NullOr(Schema.String),
  active: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type CarRecord = typeof CarRecord.Type

/** The record of a car. */
export const carRecord = ({ business_id: _business, created_at, updated_at, ...car }: Car): CarRecord => ({
  ...car,
  created_at: rfc3339(created_at),
  updated_at: rfc3339(updated_at)
})
