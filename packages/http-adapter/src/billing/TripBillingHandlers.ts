import { MonthlyInvoices, nothingSent, PaymentLinks } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const TripBillingHandlers = handlersOf("tripBilling", function* (handlers) {
  const links = yield* PaymentLinks
  const monthly = yield* MonthlyInvoices
  return handlers({
    month: forBusiness((acting, { params, payload }) => monthly.raise(acting, params.id, payload)),
    trip: forBusiness((acting, { params, payload }) =>
      links.ofTrip(acting, params.id, payload ?? nothingSent)
    )
  })
})
