/** The domain's `TripReferences` in memory. */
import { type BusinessId, TripReferences } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  TripReferences,
  Effect.map(Store, ({ cars, customers, step }) => {
    const isOf = (
      row: { readonly business_id: BusinessId; readonly deleted_at?: unknown } | undefined,
      businessId: BusinessId
    ) => row?.business_id === businessId && row.deleted_at === undefined

    return TripReferences.of({
      lockCar: (businessId, carId) =>
        step(() => isOf(cars.get(carId), businessId) && cars.get(carId)?.active === true),
      lockCustomer: (businessId, customerId) => step(() => isOf(customers.get(customerId), businessId)),
      lockCustomerByEmail: (businessId, email) =>
        step(() =>
          Option.fromUndefinedOr(
            customers.find((customer) => isOf(customer, businessId) && customer.email === email)?.customer_id
          )
        )
    })
  })
)
