import { Effect } from "effect"
import { MonthlyInvoices, MonthlyRuns, nothingSent, PaymentLinks } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const TripBillingHandlers = handlersOf("tripBilling", function* (handlers) {
  const links = yield* PaymentLinks
  const monthly = yield* MonthlyInvoices
  const runs = yield* MonthlyRuns
  return handlers({
    month: forBusiness((acting, { params, payload }) => monthly.raise(acting, params.id, payload)),
    startRun: forBusiness((acting, { payload }) => runs.start(acting, payload)),
    readRun: forBusiness((acting, { params }) => Effect.map(runs.get(acting, params.run_id), withEtag)),
    trip: forBusiness((acting, { params, payload }) =>
      links.ofTrip(acting, params.id, payload ?? nothingSent)
    )
  })
})
