import { type BusinessId, DriverTokenRepository, isLive, isOnTrip } from "@livery/domain"
import { Option } from "effect"
import { actingBusiness } from "../store/Fields.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(DriverTokenRepository, ({ assignments, businesses, drivers, step, trips }) => {
  const isDeleted = (row: { readonly deleted_at?: unknown } | undefined) =>
    row === undefined || row.deleted_at !== undefined
  const withToken = (businessId: BusinessId, hash: string) =>
    assignments.find(
      ({ business_id, endedTokenHash, tokenHash }) =>
        business_id === businessId && (tokenHash === hash || endedTokenHash === hash)
    )

  return {
    find: (businessId, tokenHash) =>
      step(() => {
        const assignment = withToken(businessId, tokenHash)
        if (assignment === undefined || !isLive(assignment)) return Option.none()
        const { assignment_id, business_id, driver_id, trip_id } = assignment
        const business = businesses.get(business_id)
        return business === undefined || isDeleted(drivers.get(driver_id)) || isDeleted(trips.get(trip_id))
          ? Option.none()
          : Option.some({
              driver_id,
              trip_id,
              assignment_id,
              token_hash: tokenHash,
              business: actingBusiness(business)
            })
      }),
    findEnded: (businessId, tokenHash) =>
      step(() => {
        const assignment = withToken(businessId, tokenHash)
        if (assignment === undefined) return Option.none()
        const { assignment_id, cancelledBy, driver_id, status, trip_id } = assignment
        const later = assignments.where(
          (other) => other.trip_id === trip_id && other.assignment_id > assignment_id && isOnTrip(other)
        )
        return Option.some({
          is_completed: status === "completed",
          is_trip_cancelled: trips.get(trip_id)?.status === "cancelled",
          is_trip_deleted: isDeleted(trips.get(trip_id)),
          is_driver_deleted: isDeleted(drivers.get(driver_id)),
          is_cancelled_by_driver: cancelledBy === "driver",
          is_renewed: later.some((other) => other.driver_id === driver_id),
          is_replaced: later.some((other) => other.driver_id !== driver_id)
        })
      })
  }
})
