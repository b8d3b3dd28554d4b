import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AdminUsers } from "@livery/domain"
import { Api } from "../Api.ts"
import { adminPerPage, paged } from "../http/contract/Pages.ts"

const reset = { reset: true } as const

export const AdminUsersHandlers = HttpApiBuilder.group(
  Api,
  "adminUsers",
  Effect.fn(function* (handlers) {
    const users = yield* AdminUsers
    return handlers.handleAll({
      list: ({ query }) => paged(query, (page) => users.list(query, page), { defaultSize: adminPerPage }),
      create: ({ payload }) => users.create(payload),
      read: ({ params }) => users.get(params.id),
      resetPassword: ({ params, payload }) => Effect.as(users.resetPassword(params.id, payload), reset),
      assignBusiness: ({ params, payload }) => users.assignBusiness(params.id, payload)
    })
  })
)
