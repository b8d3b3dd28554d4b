import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AdminAudit } from "@livery/domain"
import { Api } from "../Api.ts"
import { adminPerPage, paged } from "../http/contract/Pages.ts"

export const AdminAuditHandlers = HttpApiBuilder.group(
  Api,
  "adminAudit",
  Effect.fn(function* (handlers) {
    const audit = yield* AdminAudit
    return handlers.handleAll({
      list: ({ query: { business_id, ...query } }) =>
        paged(query, (page) => audit.list({ ...query, businessId: business_id }, page), {
          defaultSize: adminPerPage
        })
    })
  })
)
