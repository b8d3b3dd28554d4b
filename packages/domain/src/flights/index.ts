/** The public exports of this module. */
export * from "./FlightChecks.ts"
export * from "./FlightPickup.ts"
export * from "./FlightRepository.ts"
export * from "./Flights.ts"
export * from "./FlightSettings.ts"
export * from "./FlightSource.ts"
export * as FlightSweep from "./FlightSweep.ts"
