/** The filters that the list of trips and the dispatch board share (docs/api/trips.md). */
import { DateTime, Schema } from "effect"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { text } from "../../kernel/fields/Text.ts"
import { CarId, CustomerId, DriverId } from "../../kernel/Ids.ts"
import { isFoundBy, Search } from "../../kernel/search/SearchWords.ts"
import { instantOf, Timestamp } from "../../kernel/time/WallClock.ts"
import { drivingCarsOf } from "../schedule/TripCars.ts"
import type { Trip } from "../trip/Trip.ts"
import { countryOfZone } from "../../kernel/fields/PhoneNumber.ts"
import { flightKey, searchedTripWords, tripWordsOf } from "./TripSearch.ts"
import { DriverStatus, TripType } from "../trip/TripStatus.ts"

/** Trips that match every given field. */
export interface TripCriteria {
  /** The words of a search (`searchedTripWords`). Empty words match no trip. */
  readonly words?: ReadonlyArray<ReadonlyArray<string>> | undefined
  /** Trips that this driver is on. Ended assignments from before a reopening do not count. */
  readonly driverId?: DriverId | undefined
  /** Trips that this car drives (`drivingCarsOf`). */
  readonly carId?: CarId | undefined
  readonly customerId?: CustomerId | undefined
  readonly groupId?: string | undefined
  readonly driverStatus?: DriverStatus | undefined
  readonly tripType?: TripType | undefined
  /** The class of a car that drives the trip (`drivingCarsOf`). */
  readonly vehicleClass?: VehicleClass | undefined
  /** The class that was ordered. */
  readonly orderedClass?: VehicleClass | undefined
  readonly externalRef?: string | undefined
  readonly poNumber?: string | undefined
  readonly costCenter?: string | undefined
  readonly reference?: string | undefined
  /** A {@link flightKey}. */
  readonly flightKey?: string | undefined
  /** Trips that were changed at this instant or later. */
  readonly updatedSince?: DateTime.Utc | undefined
}

/** The filters as callers write them. Each list adds filters of its own. */
export const tripCriteriaFields = {
  search: Search,
  driver_id: Schema.optionalKey(DriverId),
  car_id: Schema.optionalKey(CarId),
  customer_id: Schema.optionalKey(CustomerId),
  group_id: Schema.optionalKey(text(100)),
  driver_status: Schema.optionalKey(DriverStatus),
  trip_type: Schema.optionalKey(TripType),
  vehicle_class: Schema.optionalKey(VehicleClass),
  ordered_class: Schema.optionalKey(VehicleClass),
  external_ref: Schema.optionalKey(text(100)),
  po_number: Schema.optionalKey(text(100)),
  cost_center: Schema.optionalKey(text(100)),
  reference: Schema.optionalKey(text(100)),
  flight_number: Schema.optionalKey(text(20)),
  updated_since: Schema.optionalKey(Timestamp)
}

const TripCriteriaFilter = Schema.Struct(tripCriteriaFields)

/** The criteria of a filter. `updated_since` without an offset is a local time in `timezone`. */
export const tripCriteriaOf = (filter: typeof TripCriteriaFilter.Type, timezone: string): TripCriteria => ({
  words:
    typeof filter.search === "string" ? searchedTripWords(filter.search, countryOfZone(timezone)) : undefined,
  driverId: filter.driver_id,
  carId: filter.car_id,
  customerId: filter.customer_id,
  groupId: filter.group_id,
  driverStatus: filter.driver_status,
  tripType: filter.trip_type,
  vehicleClass: filter.vehicle_class,
  orderedClass: filter.ordered_class,
  externalRef: filter.external_ref,
  poNumber: filter.po_number,
  costCenter: filter.cost_center,
  reference: filter.reference?.toUpperCase(),
  flightKey: filter.flight_number === undefined ? undefined : flightKey(filter.flight_number),
  updatedSince: filter.updated_since === undefined ? undefined : instantOf(filter.updated_since, timezone)
})

/** Whether a value is the wanted one; true if none is wanted. */
const matches = <A>(wanted: A | undefined, value: A) => wanted === undefined || wanted === value

/** Whether a trip meets the criteria. `classOf` is the class of each car that drives it. */
export const meetsCriteria = (
  trip: Trip,
  classOf: (carId: CarId) => VehicleClass | null,
  criteria: TripCriteria
): boolean =>
  (criteria.carId === undefined || drivingCarsOf(trip).includes(criteria.carId)) &&
  (criteria.vehicleClass === undefined ||
    drivingCarsOf(trip).some((carId) => classOf(carId) === criteria.vehicleClass)) &&
  matches(criteria.orderedClass, trip.vehicle_class) &&
  matches(criteria.externalRef, trip.external_ref) &&
  matches(criteria.poNumber, trip.po_number) &&
  matches(criteria.costCenter, trip.cost_center) &&
  matches(criteria.customerId, trip.customer_id) &&
  matches(criteria.groupId, trip.group_id) &&
  matches(criteria.driverStatus, trip.driver_status) &&
  matches(criteria.tripType, trip.trip_type) &&
  matches(criteria.reference, trip.reference) &&
  matches(criteria.flightKey, trip.flight_number === null ? null : flightKey(trip.flight_number)) &&
  (criteria.driverId === undefined ||
    trip.drivers.some(({ driver_id }) => driver_id === criteria.driverId)) &&
  (criteria.updatedSince === undefined ||
    DateTime.isGreaterThanOrEqualTo(trip.updated_at, criteria.updatedSince)) &&
  (criteria.words === undefined || isFoundBy(tripWordsOf(trip), criteria.words))
