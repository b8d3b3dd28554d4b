/** The responses with a trip. Their types have names, so that the declarations of the routes do not repeat all fields of a trip. */
import type { Schema } from "effect"
import { ChangedGroup, TripRecord, TripRecordWithWarnings } from "@livery/domain/records"
import { data, type Meta } from "../http/Envelope.ts"

/**
 * A trip.
 *
 * @public
 */
export interface ReadTrip extends Schema.Schema.Type<typeof TripRecord> {}

/**
 * A booked or changed trip with its warnings.
 *
 * @public
 */
export interface ChangedTrip extends Schema.Schema.Type<typeof TripRecordWithWarnings> {}

/**
 * A changed group of trips.
 *
 * @public
 */
export interface ChangedTripGroup extends Schema.Schema.Type<typeof ChangedGroup> {}

/** The envelope of a response with one record. */
export interface Wire<I> {
  readonly data: I
  readonly meta: typeof Meta.Type
}

/** A trip as it is sent. */
export interface TripOnWire extends Schema.Codec.Encoded<typeof TripRecord> {}
/** A booked or changed trip with its warnings, as it is sent. */
export interface ChangedTripOnWire extends Schema.Codec.Encoded<typeof TripRecordWithWarnings> {}
/** A changed group of trips, as it is sent. */
export interface ChangedGroupOnWire extends Schema.Codec.Encoded<typeof ChangedGroup> {}

/** The body of a response with a trip. */
export interface TripWire extends Wire<TripOnWire> {}

/** The body of a response with a booked or changed trip. */
export interface ChangedTripWire extends Wire<ChangedTripOnWire> {}

/** The body of a response with a changed group of trips. */
export interface ChangedGroupWire extends Wire<ChangedGroupOnWire> {}

export const TripBody: Schema.Codec<ReadTrip, TripWire> = data(TripRecord, "TripBody")

export const ChangedTripBody: Schema.Codec<ChangedTrip, ChangedTripWire> = data(
  TripRecordWithWarnings,
  "ChangedTripBody"
)

export const GroupBody: Schema.Codec<ChangedTripGroup, ChangedGroupWire> = data(ChangedGroup, "GroupBody")
