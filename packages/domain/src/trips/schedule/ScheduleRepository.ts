/**
 * The port that reads the schedules of drivers and cars, and other data that a new or changed trip is checked against.
 */
import { Context, type Effect, Schema } from "effect"
import { ClashPolicy } from "../../business/ClashPolicy.ts"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { AbsenceId, type BusinessId, CarId, CustomerId, DriverId, TripId } from "../../kernel/Ids.ts"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import type { Trip } from "../trip/Trip.ts"
import type { TripWindow } from "../trip/TripWindow.ts"

/**
 * How a business treats clashes, whether too little time to drive asks for a confirmation too, the minutes that must lie between
 * two trips of a driver or a car, and how many minutes before the pickup a driver may start without a confirmation (null: any
 * time).
 */
export const SchedulePolicy = Schema.Struct({
  clash_policy: ClashPolicy,
  drive_time_enforced: Schema.Boolean,
  turnaround_minutes: Schema.Int,
  early_start_minutes: Schema.NullOr(Schema.Int)
})
export type SchedulePolicy = typeof SchedulePolicy.Type

/** Trips that are further apart than this many minutes are not checked for the time to drive. */
export const nearbyMinutes = 1440

/**
 * Another trip of a driver or of a car, or an absence of a driver: `driver_id` or `car_id` is set, and `trip_id` or
 * `absence_id`.
 */
export const NearbyTrip = Field.storedOf({
  driver_id: Field.internalOrNull(Value.id(DriverId)),
  car_id: Field.internalOrNull(Value.id(CarId)),
  trip_id: Field.internalOrNull(Value.id(TripId)),
  absence_id: Field.internalOrNull(Value.id(AbsenceId)),
  starts: Field.internal(Value.instant),
  ends: Field.internal(Value.instant),
  pickup_lat: Field.internalOrNull(Value.latitude),
  pickup_lng: Field.internalOrNull(Value.longitude),
  dropoff_lat: Field.internalOrNull(Value.latitude),
  dropoff_lng: Field.internalOrNull(Value.longitude)
})
export type NearbyTrip = typeof NearbyTrip.Type

/** The day on which a driver's licence expires. */
export const License = Schema.Struct({ driver_id: DriverId, license_expires_on: Schema.String })

/** The fields of a car that are compared with an order. */
export const ComparedCar = Schema.Struct({
  car_id: CarId,
  seats: Schema.NullOr(Schema.Int),
  vehicle_class: Schema.NullOr(VehicleClass)
})

/** The most duplicates that are read. A business may have booked one ride many times, and each adds a warning. */
export const maxDuplicates = 10

/** The data that a trip is compared with, apart from schedules. */
export const WarningFacts = Schema.Struct({
  /** The cars by id, each with the number of its seats and its class, if the business stated them. */
  cars: Schema.Array(ComparedCar),
  /** The drivers whose licences have a day of expiry, by id. */
  licenses: Schema.Array(License),
  /** The drivers whom the customer refuses, by id. */
  refused: Schema.Array(DriverId),
  /**
   * The trips that are not cancelled and have the same pickup time, pickup address and passenger: the first
   * {@link maxDuplicates}, by id.
   */
  duplicates: Schema.Array(TripId)
})
export type WarningFacts = typeof WarningFacts.Type

/** The drivers whom a customer prefers or refuses. */
export const DriverChoice = Schema.Struct({
  customer_id: CustomerId,
  preferred_driver_ids: Schema.Array(DriverId),
  refused_driver_ids: Schema.Array(DriverId)
})
export type DriverChoice = typeof DriverChoice.Type

/** The drivers and the cars of a trip. */
export interface Resources {
  readonly driverIds: ReadonlyArray<DriverId>
  readonly carIds: ReadonlyArray<CarId>
}

/** A stored trip, or one that is about to be stored and has no id yet. */
export interface ScheduledTrip extends Resources {
  readonly tripId: TripId | null
  readonly window: TripWindow
}

/** The look-up of {@link WarningFacts}; `booking` only if duplicates are wanted. */
export interface WarningFactsQuery extends Resources {
  readonly tripId: TripId | null
  readonly customerId: CustomerId | null
  readonly booking: Pick<Trip, "trip_date" | "pickup_address" | "customer_name"> | null
}

/**
 * - `policy`: the business's settings.
 * - `lock`: until the open transaction ends, other calls for one of these drivers or cars wait. Call it after the
 *   trips are locked, and once in a transaction for all that the transaction needs. A later call for some of the same
 *   drivers and cars does not wait.
 * - `nearby`: the trips and absences that overlap the window or are less than {@link nearbyMinutes} away from it: other
 *   trips to which one of these drivers has a live assignment, absences of these drivers, and other open trips that have
 *   one of these cars or a live assignment with one. Entries of drivers come first, by driver: the trips by id, then the
 *   absences by id. Entries of cars follow, by car.
 * - `warningFacts`: the seats and the classes of the cars, licences, refused drivers and duplicates. Texts are compared without regard to
 *   case.
 * - `driverChoices`: the drivers whom these customers prefer or refuse; customers without a choice are left out.
 */
export class ScheduleRepository extends Context.Service<
  ScheduleRepository,
  {
    readonly policy: (businessId: BusinessId) => Effect.Effect<SchedulePolicy>
    readonly lock: (businessId: BusinessId, resources: Resources) => Effect.Effect<void>
    readonly nearby: (businessId: BusinessId, trip: ScheduledTrip) => Effect.Effect<ReadonlyArray<NearbyTrip>>
    readonly driverChoices: (
      businessId: BusinessId,
      customerIds: ReadonlyArray<CustomerId>
    ) => Effect.Effect<ReadonlyArray<DriverChoice>>
    readonly warningFacts: (businessId: BusinessId, query: WarningFactsQuery) => Effect.Effect<WarningFacts>
  }
>()("@livery/domain/ScheduleRepository") {}
