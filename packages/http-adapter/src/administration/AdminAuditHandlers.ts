import { AdminAudit } from "@livery/domain"
import { adminPerPage } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const AdminAuditHandlers = handlersOf("adminAudit", function* (handlers) {
  const audit = yield* AdminAudit
  return handlers({
    list: ({ query: { business_id, ...query } }) =>
      paged(query, (page) => audit.list({ ...query, businessId: business_id }, page), {
        defaultSize: adminPerPage
      })
  })
})
