import { Effect } from "effect"
import { BusinessProfiles, DriverLocations, DriverTrips } from "@livery/domain"
import { CurrentAssignedDriver } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"

export const DriverTokenHandlers = handlersOf("driverToken", function* (handlers) {
  const trips = yield* DriverTrips
  const locations = yield* DriverLocations
  const profiles = yield* BusinessProfiles
  return handlers({
    trip: Effect.fnUntraced(function* () {
      const driver = yield* CurrentAssignedDriver
      return withEtag(yield* trips.get(driver, driver.trip_id))
    }),
    office: Effect.fnUntraced(function* () {
      const { business } = yield* CurrentAssignedDriver
      return yield* profiles.brand(business)
    }),
    locations: Effect.fnUntraced(function* ({ payload }) {
      return yield* locations.reportAll(yield* CurrentAssignedDriver, payload)
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
