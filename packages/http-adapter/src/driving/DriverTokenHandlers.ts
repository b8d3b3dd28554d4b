import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { BusinessProfiles, DriverLocations, DriverTrips } from "@livery/domain"
import { CurrentAssignedDriver } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { trackerPositions } from "./TrackerReports.ts"

export const DriverTokenHandlers = handlersOf("driverToken", function* (handlers) {
  const trips = yield* DriverTrips
  const locations = yield* DriverLocations
  const profiles = yield* BusinessProfiles

  /** Stores the positions of an app that reports in the background. */
  const track = Effect.fnUntraced(function* ({
    request
  }: {
    readonly request: HttpServerRequest.HttpServerRequest
  }) {
    const reported = yield* trackerPositions(request)
    if (reported.length > 0) yield* locations.reportAll(yield* CurrentAssignedDriver, { locations: reported })
    return HttpServerResponse.jsonUnsafe([])
  })

  return handlers({
    track,
    trackByQuery: track,
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
