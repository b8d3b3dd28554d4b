import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MonthlyInvoices, PaymentLinks } from "@livery/domain"
import { Api } from "../Api.ts"
import { CurrentBusiness } from "../http/contract/Access.ts"

export const TripBillingHandlers = HttpApiBuilder.group(
  Api,
  "tripBilling",
  Effect.fn(function* (handlers) {
    const links = yield* PaymentLinks
    const monthly = yield* MonthlyInvoices
    return handlers.handleAll({
      month: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* monthly.raise(yield* CurrentBusiness, params.id, payload)
      }),
      trip: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* links.ofTrip(yield* CurrentBusiness, params.id, payload ?? { tax_rate: 0 })
      })
    })
  })
)
