import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { DriverStatements } from "@livery/domain"
import { Api } from "../Api.ts"
import { CurrentBusiness } from "../http/contract/Access.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"

export const DriverPayHandlers = HttpApiBuilder.group(
  Api,
  "driverPay",
  Effect.fn(function* (handlers) {
    const pay = yield* DriverStatements
    return handlers.handleAll({
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* pay.terms(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* pay.setTerms(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      statement: Effect.fnUntraced(function* ({ params, query }) {
        return yield* pay.statement(yield* CurrentBusiness, params.id, query)
      })
    })
  })
)
