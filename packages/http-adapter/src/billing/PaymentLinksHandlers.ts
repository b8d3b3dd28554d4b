import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PaymentLinks } from "@livery/domain"
import { Api } from "../Api.ts"
import { Acting } from "../http/Access.ts"

export const PaymentLinksHandlers = HttpApiBuilder.group(
  Api,
  "paymentLinks",
  Effect.fn(function* (handlers) {
    const links = yield* PaymentLinks
    return handlers.handleAll({
      trip: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* links.ofTrip(yield* Acting, params.id, payload ?? { tax_rate: 0 })
      })
    })
  })
)
