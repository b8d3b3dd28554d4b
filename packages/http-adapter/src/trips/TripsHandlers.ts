import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { paginationOf, Trips, tripsPerPage } from "@livery/domain"
import { Api } from "../Api.ts"
import { Acting } from "../http/Access.ts"
import { withEtag } from "../http/Etag.ts"

export const TripsHandlers = HttpApiBuilder.group(
  Api,
  "trips",
  Effect.fn(function* (handlers) {
    const trips = yield* Trips
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { page = 1, ...filter } }) {
        const found = yield* trips.list(yield* Acting, filter, page)
        return { items: found.items, pagination: paginationOf({ page, perPage: tripsPerPage }, found) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* trips.create(yield* Acting, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* trips.get(yield* Acting, params.id))
      })
    })
  })
)
