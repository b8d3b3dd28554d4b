import { Effect } from "effect"
import { MemberInvitations, Members } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const StaffHandlers = handlersOf(
  Api,
  "staff",
  Effect.fn(function* (handlers) {
    const members = yield* Members
    const invitations = yield* MemberInvitations
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => members.list(acting, page))
      }),
      invite: Effect.fnUntraced(function* ({ payload }) {
        return yield* invitations.invite(yield* CurrentBusiness, payload)
      }),
      invitations: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => invitations.list(acting, page))
      }),
      revoke: Effect.fnUntraced(function* ({ payload }) {
        yield* invitations.revoke(yield* CurrentBusiness, payload)
        return { deleted: true }
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* members.update(yield* CurrentBusiness, params.user_id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params }) {
        const removed = yield* members.remove(yield* CurrentBusiness, params.user_id, preconditionOf(headers))
        return withEtagOf(removed, { deleted: true })
      })
    })
  })
)
