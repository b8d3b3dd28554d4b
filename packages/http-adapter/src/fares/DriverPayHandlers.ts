import { Effect } from "effect"
import { DriverStatements } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"

export const DriverPayHandlers = handlersOf(
  Api,
  "driverPay",
  Effect.fn(function* (handlers) {
    const pay = yield* DriverStatements
    return handlers({
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
