/** The public exports of this module. */
export * from "./MapStyle.ts"
export * from "./Position.ts"
export * from "./TrackedTrip.ts"
export * from "./TrackingLink.ts"
export * from "./Tracking.ts"
export * from "./TrackingRepository.ts"
export * from "./TripUpdate.ts"
export * from "./TripWatch.ts"
