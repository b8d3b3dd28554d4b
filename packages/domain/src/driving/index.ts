/** The public exports of this module. */
export * from "./DriverLocation.ts"
export * from "./DriverLocationRepository.ts"
export * from "./DriverLocations.ts"
export * from "./DriverTrip.ts"
export * from "./DriverTripRepository.ts"
export * from "./DriverTripFilter.ts"
export * from "./DriverTrips.ts"
