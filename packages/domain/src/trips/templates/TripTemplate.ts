/** A template of trips: a name, and the fields that trips booked from it get (docs/api/trips.md). */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { omittable } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TripId, TripTemplateId } from "../../kernel/Ids.ts"
import { type Trip, tripFields, tripRecord } from "../trip/Trip.ts"

/** A business has at most this many templates. */
export const maxTripTemplates = 200

const {
  trip_date: _date,
  external_ref: _ref,
  group_id: _group,
  linked_trip_id: _linked,
  leg: _leg,
  ...repeatedFields
} = tripFields

const templateTrip = Field.overridesOf(repeatedFields)
type TemplateTripStruct = typeof templateTrip

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TemplateTripSchema extends TemplateTripStruct {}

/** The fields of trips booked from a template: any but the date, and those that belong to one trip alone. */
export const TemplateTrip: TemplateTripSchema = templateTrip
export type TemplateTrip = typeof TemplateTrip.Type

/** The names of the fields that a template can have. */
const templateNames = Object.keys(TemplateTrip.fields)

const trip = {
  required: TemplateTrip,
  optional: TemplateTrip,
  stored: Schema.Record(Schema.String, Schema.Unknown),
  wire: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The fields that the template has, as in `POST /trips`."
  })
}

/** The fields of a template. */
export const tripTemplateFields = {
  template_id: Field.assigned(Value.id(TripTemplateId)),
  name: Field.says({ person: "anyone" }, Field.required(Value.text(100))),
  trip: Field.says({ person: "customer" }, Field.required(trip)),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

const templateInput = Schema.Struct({
  name: tripTemplateFields.name.input,
  trip: omittable(TemplateTrip),
  trip_id: omittable(
    TripId.annotate({ description: "Takes the fields of this trip, but for its date, in place of `trip`." })
  )
})
type TripTemplateInputStruct = typeof templateInput

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripTemplateInputSchema extends TripTemplateInputStruct {}

/** The body that makes a template: from fields of a trip, or from a trip. */
export const TripTemplateInput: TripTemplateInputSchema = templateInput
export type TripTemplateInput = typeof TripTemplateInput.Type

const templateChanges = Field.changesOf(tripTemplateFields)
type TripTemplateChangesStruct = typeof templateChanges

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripTemplateChangesSchema extends TripTemplateChangesStruct {}

/** The body that changes a template: at least one field. `trip` replaces all fields of the trip. */
export const TripTemplateChanges: TripTemplateChangesSchema = templateChanges
export type TripTemplateChanges = typeof TripTemplateChanges.Type

/** A template as stored. */
export const TripTemplate = Field.storedOf(tripTemplateFields)
export type TripTemplate = typeof TripTemplate.Type

const templateRecord = Field.recordOf(tripTemplateFields)
type TripTemplateRecordStruct = typeof templateRecord

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripTemplateRecordSchema extends TripTemplateRecordStruct {}

/** A template in a response. */
export const TripTemplateRecord: TripTemplateRecordSchema = templateRecord
export type TripTemplateRecord = typeof TripTemplateRecord.Type

/** The record of a template. */
export const tripTemplateRecord = Field.encoderOf(tripTemplateFields)

/** The fields of a template as stored: without those that say nothing. */
export type TemplateFields = TripTemplate["trip"]

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0)

/** The fields of a template that say something. */
export const templateFieldsOf = (fields: object): TemplateFields =>
  Object.fromEntries<unknown>(
    Object.entries(fields).filter(([name, value]) => templateNames.includes(name) && !isEmpty(value))
  )

/** The fields that a template takes from a trip. */
export const templateFieldsOfTrip = (of: Trip, timezone: string): TemplateFields =>
  templateFieldsOf({
    ...tripRecord(of, timezone),
    // The record of a trip without a zone of its own has the zone of the business.
    pickup_timezone: of.pickup_timezone
  })

/** Issues that need only the body: the fields come from `trip` or from `trip_id`, not from both. */
export const tripTemplateIssues = ({ trip, trip_id }: TripTemplateInput): ReadonlyArray<FieldIssue> => {
  if ((trip === undefined) !== (trip_id === undefined)) return []
  return trip === undefined
    ? [{ field: "trip", issue: "required" }]
    : [{ field: "trip_id", issue: "invalid" }]
}
