import { Effect } from "effect"
import { Assignments, TripEmails, TripList, Trips, tripsPerPage } from "@livery/domain"
import { Api, CurrentBusiness, isConfirmed, paginationOf } from "@livery/contract"
import { paged, withinListLimit } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const TripsHandlers = handlersOf(
  Api,
  "trips",
  Effect.fn(function* (handlers) {
    const trips = yield* Trips
    const emails = yield* TripEmails
    const tripList = yield* TripList
    const assignments = yield* Assignments
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const { cursor, page, ...filter } = query
        const read = tripList.page(yield* CurrentBusiness, filter, { cursor, page })
        const records = yield* withinListLimit(query, "date_from", read)
        return {
          items: records.items,
          pagination: paginationOf({ ...records, perPage: tripsPerPage }, records)
        }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* trips.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* trips.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const changed = yield* emails.update(
          yield* CurrentBusiness,
          params.id,
          payload,
          preconditionOf(headers)
        )
        const { warnings: _warnings, ...trip } = changed
        return withEtagOf(trip, changed)
      }),
      remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
        return withEtagOf(yield* trips.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
      }),
      reportDriverStatus: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* assignments.reportFor(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      assign: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* assignments.assign(yield* CurrentBusiness, params.id, payload)
      }),
      reopen: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* trips.reopen(yield* CurrentBusiness, params.id, payload)
      }),
      timeline: Effect.fnUntraced(function* ({ params, query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => trips.timeline(acting, params.id, page))
      }),
      duplicate: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* trips.duplicate(yield* CurrentBusiness, params.id, payload ?? {})
      })
    })
  })
)
