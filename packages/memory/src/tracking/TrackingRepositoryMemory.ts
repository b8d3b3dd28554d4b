/** The domain's `TrackingRepository` in memory. */
import {
  isOpenTrip,
  isUnderWay,
  Position,
  type TrackedTrip,
  TrackingRepository,
  type Trip
} from "@livery/domain"
import { DateTime, Option } from "effect"
import { actingBusiness, only } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

/** When the trip was completed or cancelled; null while it is open. */
const endOf = ({ cancelled_at, completed_at, status }: Trip) =>
  ({ completed: completed_at, cancelled: cancelled_at, pending: null, confirmed: null, in_progress: null })[
    status
  ]

export const layer = inMemory(
  TrackingRepository,
  ({ assignments, businesses, links, positions, step, trips }) => {
    /** The position that was measured last, of the trip's drivers under way. */
    const positionOf = (trip: Trip) => {
      const [last] = assignments
        .where((assignment) => assignment.trip_id === trip.trip_id && isUnderWay(assignment))
        .flatMap(({ assignment_id }) => positions.get(assignment_id) ?? [])
        .toSorted(
          ascending(({ assignment_id, recorded_at }) => [-DateTime.toEpochMillis(recorded_at), assignment_id])
        )
      return last === undefined ? null : only(Position, last)
    }

    const tracked = (trip: Trip): ReadonlyArray<TrackedTrip> => {
      const { business_id, deleted_at, driver_status, pickup_timezone, status, trip_date, trip_id } = trip
      const business = businesses.get(business_id)
      if (business === undefined) return []
      return [
        {
          trip_id,
          business: actingBusiness(business),
          status,
          driver_status,
          trip_date,
          pickup_timezone,
          deleted: deleted_at !== undefined,
          ended_at: endOf(trip),
          link_hash: links.get(trip_id)?.tokenHash ?? null,
          position: positionOf(trip)
        }
      ]
    }

    return {
      find: (followed) =>
        step(() =>
          followed.flatMap(({ businessId, tripId }) => {
            const trip = trips.get(tripId)
            return trip?.business_id === businessId ? tracked(trip) : []
          })
        ),
      findByLink: (businessId, hash) =>
        step(() => {
          const link = links.find(
            ({ business_id, tokenHash }) => business_id === businessId && tokenHash === hash
          )
          const trip = link && trips.get(link.trip_id)
          return Option.fromUndefinedOr(trip && tracked(trip)[0])
        }),
      setLink: (business_id, trip_id, tokenHash) =>
        step(() => {
          const trip = trips.get(trip_id)
          const isShareable =
            trip?.business_id === business_id && trip.deleted_at === undefined && isOpenTrip(trip.status)
          if (isShareable) links.set(trip_id, { business_id, trip_id, tokenHash })
          return isShareable
        }),
      removeLink: (businessId, tripId) =>
        step(() => links.get(tripId)?.business_id === businessId && links.remove(tripId))
    }
  }
)
