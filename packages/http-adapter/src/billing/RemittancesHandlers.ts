import { Effect } from "effect"
import { CustomerCredits, Remittances } from "@livery/domain"
import { paged } from "../http/responses/ListedPage.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"

export const RemittancesHandlers = handlersOf("remittances", function* (handlers) {
  const remittances = yield* Remittances
  const credits = yield* CustomerCredits
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => remittances.list(acting, page))),
    create: forBusiness((acting, { payload }) => remittances.record(acting, payload)),
    read: forBusiness((acting, { params }) => Effect.map(remittances.get(acting, params.id), withEtag)),
    credit: forBusiness((acting, { params }) => Effect.map(credits.ofCustomer(acting, params.id), withEtag))
  })
})
