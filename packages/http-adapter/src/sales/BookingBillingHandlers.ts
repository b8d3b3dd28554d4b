import { BookingPayments, nothingSent } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const BookingBillingHandlers = handlersOf("bookingBilling", function* (handlers) {
  const payments = yield* BookingPayments
  return handlers({
    link: forBusiness((acting, { params, payload }) =>
      payments.link(acting, params.id, payload ?? nothingSent)
    ),
    pay: forBusiness((acting, { params, payload }) => payments.record(acting, params.id, payload))
  })
})
