import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BookingPayments } from "@livery/domain"
import { Api } from "../Api.ts"
import { CurrentBusiness } from "../http/contract/Access.ts"

export const BookingBillingHandlers = HttpApiBuilder.group(
  Api,
  "bookingBilling",
  Effect.fn(function* (handlers) {
    const payments = yield* BookingPayments
    return handlers.handleAll({
      link: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* payments.link(yield* CurrentBusiness, params.id, payload ?? { tax_rate: 0 })
      }),
      pay: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* payments.record(yield* CurrentBusiness, params.id, payload)
      })
    })
  })
)
