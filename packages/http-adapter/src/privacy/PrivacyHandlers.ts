import { Erasures } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const PrivacyHandlers = handlersOf("privacy", function* (handlers) {
  const erasures = yield* Erasures
  return handlers({
    eraseCustomer: forBusiness((acting, { params, payload }) =>
      erasures.customer(acting, params.id, payload)
    ),
    eraseDriver: forBusiness((acting, { params, payload }) => erasures.driver(acting, params.id, payload)),
    eraseContact: forBusiness((acting, { payload }) => erasures.contact(acting, payload))
  })
})

export const AdminPrivacyHandlers = handlersOf("adminPrivacy", function* (handlers) {
  const erasures = yield* Erasures
  return handlers({
    erasePerson: ({ params, payload }) => erasures.person(params.id, payload),
    eraseUser: ({ params, payload }) => erasures.user(params.id, payload)
  })
})
