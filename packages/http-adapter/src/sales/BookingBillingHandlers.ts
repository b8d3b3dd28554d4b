import { Effect } from "effect"
import { BookingPayments } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const BookingBillingHandlers = handlersOf(
  Api,
  "bookingBilling",
  Effect.fn(function* (handlers) {
    const payments = yield* BookingPayments
    return handlers({
      link: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* payments.link(yield* CurrentBusiness, params.id, payload ?? { tax_rate: 0 })
      }),
      pay: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* payments.record(yield* CurrentBusiness, params.id, payload)
      })
    })
  })
)
