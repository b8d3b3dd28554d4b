/** Updates of a followed trip, computed by comparing two states of it. */
import type { TrackedTrip } from "./TrackedTrip.ts"

/** `position`: the driver has moved. `status`: the trip's status, time or existence has changed. */
export interface TripUpdate {
  readonly kind: "position" | "status"
  readonly trip: TrackedTrip
}

const recordedAt = ({ position }: TrackedTrip) => position?.recorded_at.epochMilliseconds

const hasMoved = (before: TrackedTrip, after: TrackedTrip) =>
  recordedAt(before) !== recordedAt(after) ||
  before.position?.lat !== after.position?.lat ||
  before.position?.lng !== after.position?.lng

const hasNewStatus = (before: TrackedTrip, after: TrackedTrip) =>
  before.status !== after.status ||
  before.driver_status !== after.driver_status ||
  before.deleted !== after.deleted ||
  before.trip_date.epochMilliseconds !== after.trip_date.epochMilliseconds ||
  before.pickup_timezone !== after.pickup_timezone ||
  before.ride?.milestone !== after.ride?.milestone ||
  before.ride?.driver_name !== after.ride?.driver_name ||
  before.ride?.car?.plate_number !== after.ride?.car?.plate_number

/** Whether something changed that followers see, or that affects the permission to follow. */
export const hasChanged = (before: TrackedTrip, after: TrackedTrip): boolean =>
  hasMoved(before, after) ||
  hasNewStatus(before, after) ||
  before.link_hash !== after.link_hash ||
  before.business.status !== after.business.status

/** The updates for a follower who has seen `before`; the first state is always an update. */
export const updatesOf = (before: TrackedTrip | undefined, trip: TrackedTrip): ReadonlyArray<TripUpdate> => {
  if (before === undefined) return [{ kind: trip.position === null ? "status" : "position", trip }]
  if (hasNewStatus(before, trip)) return [{ kind: "status", trip }]
  return hasMoved(before, trip) ? [{ kind: "position", trip }] : []
}
