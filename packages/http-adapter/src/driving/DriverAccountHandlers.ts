import { Effect } from "effect"
import { BusinessProfiles, DriverLocations, DriverTrips } from "@livery/domain"
import { CurrentDriver } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"

export const DriverAccountHandlers = handlersOf("driverAccount", function* (handlers) {
  const trips = yield* DriverTrips
  const locations = yield* DriverLocations
  const profiles = yield* BusinessProfiles
  return handlers({
    profile: Effect.fnUntraced(function* () {
      return withEtag(yield* trips.profile(yield* CurrentDriver))
    }),
    office: Effect.fnUntraced(function* () {
      const { business } = yield* CurrentDriver
      return yield* profiles.brand(business)
    }),
    trips: Effect.fnUntraced(function* ({ query }) {
      const driver = yield* CurrentDriver
      return yield* paged(query, (page) => trips.list(driver, query, page), { narrowBy: "filter" })
    }),
    trip: Effect.fnUntraced(function* ({ params }) {
      return withEtag(yield* trips.get(yield* CurrentDriver, params.id))
    }),
    report: Effect.fnUntraced(function* ({ headers, params, payload }) {
      return withEtag(yield* trips.report(yield* CurrentDriver, params.id, payload, preconditionOf(headers)))
    }),
    location: Effect.fnUntraced(function* ({ payload }) {
      return yield* locations.report(yield* CurrentDriver, payload)
    }),
    locations: Effect.fnUntraced(function* ({ payload }) {
      return yield* locations.reportAll(yield* CurrentDriver, payload)
    })
  })
})
