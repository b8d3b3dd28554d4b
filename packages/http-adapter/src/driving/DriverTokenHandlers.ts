import { Effect } from "effect"
import { DriverLocations, DriverTrips } from "@livery/domain"
import { CurrentAssignedDriver } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"

export const DriverTokenHandlers = handlersOf("driverToken", function* (handlers) {
  const trips = yield* DriverTrips
  const locations = yield* DriverLocations
  return handlers({
    trip: Effect.fnUntraced(function* () {
      const driver = yield* CurrentAssignedDriver
      return withEtag(yield* trips.get(driver, driver.trip_id))
    }),
    location: Effect.fnUntraced(function* ({ payload }) {
      return yield* locations.report(yield* CurrentAssignedDriver, payload)
    }),
    status: Effect.fnUntraced(function* ({ payload }) {
      const driver = yield* CurrentAssignedDriver
      return withEtag(yield* trips.report(driver, driver.trip_id, payload))
    })
  })
})
