import { Effect } from "effect"
import { AdminPlans } from "@livery/domain"
import { adminPerPage } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"

export const AdminPlansHandlers = handlersOf("adminPlans", function* (handlers) {
  const plans = yield* AdminPlans
  return handlers({
    list: ({ query: { include_inactive = false, ...query } }) =>
      paged(query, (page) => plans.list(include_inactive, page), { defaultSize: adminPerPage }),
    read: ({ params }) => Effect.map(plans.get(params.id), withEtag)
  })
})
