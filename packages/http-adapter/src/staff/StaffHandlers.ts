import { Effect } from "effect"
import { MemberInvitations, Members } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const StaffHandlers = handlersOf("staff", function* (handlers) {
  const members = yield* Members
  const invitations = yield* MemberInvitations
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => members.list(acting, page))),
    invite: forBusiness((acting, { payload }) => invitations.invite(acting, payload)),
    invitations: forBusiness((acting, { query }) => paged(query, (page) => invitations.list(acting, page))),
    revoke: Effect.fnUntraced(function* ({ payload }) {
      yield* invitations.revoke(yield* CurrentBusiness, payload)
      return { deleted: true }
    }),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(members.update(acting, params.user_id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params }) {
      const removed = yield* members.remove(yield* CurrentBusiness, params.user_id, preconditionOf(headers))
      return withEtagOf(removed, { deleted: true })
    })
  })
})
