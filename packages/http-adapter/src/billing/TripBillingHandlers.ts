import { Effect } from "effect"
import { MonthlyInvoices, PaymentLinks } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const TripBillingHandlers = handlersOf(
  Api,
  "tripBilling",
  Effect.fn(function* (handlers) {
    const links = yield* PaymentLinks
    const monthly = yield* MonthlyInvoices
    return handlers({
      month: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* monthly.raise(yield* CurrentBusiness, params.id, payload)
      }),
      trip: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* links.ofTrip(yield* CurrentBusiness, params.id, payload ?? { tax_rate: 0 })
      })
    })
  })
)
