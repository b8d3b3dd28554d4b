import { Effect } from "effect"
import { Absences, DriverInvitations, Drivers, FreeDrivers } from "@livery/domain"
import { CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { bulkResultsOf } from "../http/responses/BulkResults.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const DriversHandlers = handlersOf("drivers", function* (handlers) {
  const drivers = yield* Drivers
  const invitations = yield* DriverInvitations
  const absences = yield* Absences
  const free = yield* FreeDrivers
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => drivers.list(acting, query, page))),
    create: forBusiness((acting, { payload }) => drivers.create(acting, payload)),
    createMany: forBusiness((acting, { payload }) => bulkResultsOf(drivers.createMany(acting, payload))),
    read: forBusiness((acting, { params }) => Effect.map(drivers.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(drivers.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
      return withEtagOf(yield* drivers.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
    }),
    invite: forBusiness((acting, { params }) => invitations.invite(acting, params.id)),
    availability: forBusiness((acting, { params, query }) => drivers.availability(acting, params.id, query)),
    free: forBusiness((acting, { query }) => paged(query, (page) => free.list(acting, query, page))),
    allAbsences: forBusiness((acting, { query }) =>
      paged(query, (page) => absences.during(acting, query, page))
    ),
    absences: forBusiness((acting, { params, query }) =>
      paged(query, (page) => absences.list(acting, params.id, query, page))
    ),
    addAbsence: forBusiness((acting, { params, payload }) => absences.add(acting, params.id, payload)),
    removeAbsences: Effect.fnUntraced(function* ({ params, payload }) {
      yield* absences.remove(yield* CurrentBusiness, params.id, payload)
      return { deleted: true }
    })
  })
})
