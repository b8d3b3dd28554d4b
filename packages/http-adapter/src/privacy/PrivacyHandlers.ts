import { Effect } from "effect"
import { Erasures } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const PrivacyHandlers = handlersOf(
  Api,
  "privacy",
  Effect.fn(function* (handlers) {
    const erasures = yield* Erasures
    return handlers({
      eraseCustomer: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* erasures.customer(yield* CurrentBusiness, params.id, payload)
      }),
      eraseDriver: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* erasures.driver(yield* CurrentBusiness, params.id, payload)
      }),
      eraseContact: Effect.fnUntraced(function* ({ payload }) {
        return yield* erasures.contact(yield* CurrentBusiness, payload)
      })
    })
  })
)

export const AdminPrivacyHandlers = handlersOf(
  Api,
  "adminPrivacy",
  Effect.fn(function* (handlers) {
    const erasures = yield* Erasures
    return handlers({
      erasePerson: ({ params, payload }) => erasures.person(params.id, payload),
      eraseUser: ({ params, payload }) => erasures.user(params.id, payload)
    })
  })
)
