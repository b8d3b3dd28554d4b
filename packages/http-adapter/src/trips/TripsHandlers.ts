import { Effect } from "effect"
import { Assignments, TripEmails, TripList, TripRepeats, Trips, tripsPerPage } from "@livery/domain"
import { CurrentBusiness, isConfirmed, paginationOf } from "@livery/contract"
import { paged, withinListLimit } from "../http/responses/ListedPage.ts"
import { bulkResultsOf } from "../http/responses/BulkResults.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const TripsHandlers = handlersOf("trips", function* (handlers) {
  const trips = yield* Trips
  const emails = yield* TripEmails
  const tripList = yield* TripList
  const repeats = yield* TripRepeats
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
    create: forBusiness((acting, { payload }) => trips.create(acting, payload)),
    createMany: forBusiness((acting, { payload }) => bulkResultsOf(trips.createMany(acting, payload))),
    read: forBusiness((acting, { params }) => Effect.map(trips.get(acting, params.id), withEtag)),
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
    reportDriverStatus: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(assignments.reportFor(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    assign: forBusiness((acting, { params, payload }) => assignments.assign(acting, params.id, payload)),
    reopen: forBusiness((acting, { params, payload }) => trips.reopen(acting, params.id, payload)),
    timeline: forBusiness((acting, { params, query }) =>
      paged(query, (page) => trips.timeline(acting, params.id, page))
    ),
    duplicate: forBusiness((acting, { params, payload }) =>
      trips.duplicate(acting, params.id, payload ?? {})
    ),
    repeat: forBusiness((acting, { params, payload }) => repeats.repeat(acting, params.id, payload))
  })
})
