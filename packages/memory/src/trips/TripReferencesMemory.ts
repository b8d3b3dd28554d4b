/** The domain's `TripReferences` in memory. */
import { TripReferences } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  TripReferences,
  Effect.map(Store, ({ cars, customers, step }) =>
    TripReferences.of({
      lockCar: (businessId, carId) => step(() => rowOf(cars, businessId, carId)?.active === true),
      lockCustomer: (businessId, customerId) =>
        step(() => rowOf(customers, businessId, customerId) !== undefined),
      lockCustomerByEmail: (businessId, email) =>
        step(() => {
          const found = customers.find(
            (customer) =>
              customer.email === email && rowOf(customers, businessId, customer.customer_id) !== undefined
          )
          return Option.fromUndefinedOr(found?.customer_id)
        })
    })
  )
)
