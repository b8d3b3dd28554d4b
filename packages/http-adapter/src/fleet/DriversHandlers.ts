import { Effect } from "effect"
import { Absences, DriverInvitations, Drivers, FreeDrivers } from "@livery/domain"
import { Api, CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const DriversHandlers = handlersOf(
  Api,
  "drivers",
  Effect.fn(function* (handlers) {
    const drivers = yield* Drivers
    const invitations = yield* DriverInvitations
    const absences = yield* Absences
    const free = yield* FreeDrivers
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => drivers.list(acting, query, page))
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* drivers.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* drivers.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* drivers.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
        return withEtagOf(yield* drivers.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
      }),
      invite: Effect.fnUntraced(function* ({ params }) {
        return yield* invitations.invite(yield* CurrentBusiness, params.id)
      }),
      availability: Effect.fnUntraced(function* ({ params, query }) {
        return yield* drivers.availability(yield* CurrentBusiness, params.id, query)
      }),
      free: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => free.list(acting, query, page))
      }),
      absences: Effect.fnUntraced(function* ({ params, query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => absences.list(acting, params.id, query, page))
      }),
      addAbsence: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* absences.add(yield* CurrentBusiness, params.id, payload)
      }),
      removeAbsences: Effect.fnUntraced(function* ({ params, payload }) {
        yield* absences.remove(yield* CurrentBusiness, params.id, payload)
        return { deleted: true }
      })
    })
  })
)
