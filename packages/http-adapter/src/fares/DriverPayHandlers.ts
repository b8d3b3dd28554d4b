import { Effect } from "effect"
import { DriverStatements } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const DriverPayHandlers = handlersOf("driverPay", function* (handlers) {
  const pay = yield* DriverStatements
  return handlers({
    read: forBusiness((acting, { params }) => Effect.map(pay.terms(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(pay.setTerms(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    statement: forBusiness((acting, { params, query }) => pay.statement(acting, params.id, query))
  })
})
