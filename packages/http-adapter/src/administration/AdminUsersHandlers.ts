import { Effect } from "effect"
import { AdminUsers } from "@livery/domain"
import { adminPerPage } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"

const reset = { reset: true } as const

export const AdminUsersHandlers = handlersOf("adminUsers", function* (handlers) {
  const users = yield* AdminUsers
  return handlers({
    list: ({ query }) => paged(query, (page) => users.list(query, page), { defaultSize: adminPerPage }),
    create: ({ payload }) => users.create(payload),
    read: ({ params }) => Effect.map(users.get(params.id), withEtag),
    resetPassword: ({ params, payload }) => Effect.as(users.resetPassword(params.id, payload), reset),
    assignBusiness: ({ params, payload }) => users.assignBusiness(params.id, payload)
  })
})
