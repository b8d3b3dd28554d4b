import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AdminPlans } from "@livery/domain"
import { Api } from "../Api.ts"
import { adminPerPage, paged } from "../http/contract/Pages.ts"

export const AdminPlansHandlers = HttpApiBuilder.group(
  Api,
  "adminPlans",
  Effect.fn(function* (handlers) {
    const plans = yield* AdminPlans
    return handlers.handleAll({
      list: ({ query: { include_inactive = false, ...query } }) =>
        paged(query, (page) => plans.list(include_inactive, page), { defaultSize: adminPerPage }),
      read: ({ params }) => plans.get(params.id)
    })
  })
)
