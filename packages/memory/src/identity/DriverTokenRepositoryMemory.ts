/** The domain's `DriverTokenRepository` in memory. */
import { DriverTokenRepository } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { actingBusiness } from "../store/Fields.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  DriverTokenRepository,
  Effect.map(Store, ({ assignments, businesses, drivers, step, trips }) =>
    DriverTokenRepository.of({
      find: (hash) =>
        step(() => {
          // Only a live assignment has a hash.
          const found = assignments.find(({ tokenHash }) => tokenHash === hash)
          if (found === undefined) return Option.none()
          const { assignment_id, business_id, driver_id, trip_id } = found
          const business = businesses.get(business_id)
          const isDeleted = [drivers.get(driver_id), trips.get(trip_id)].some(
            (row) => row === undefined || row.deleted_at !== undefined
          )
          return business === undefined || isDeleted
            ? Option.none()
            : Option.some({ driver_id, trip_id, assignment_id, business: actingBusiness(business) })
        })
    })
  )
)
