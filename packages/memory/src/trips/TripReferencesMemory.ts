import { TripReferences } from "@livery/domain"
import { Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(TripReferences, ({ cars, customers, step, trips }) => ({
  lockCar: (businessId, carId) => step(() => rowOf(cars, businessId, carId)?.active === true),
  lockCars: (businessId, carIds) =>
    step(() => carIds.filter((carId) => rowOf(cars, businessId, carId)?.active === true)),
  lockCustomer: (businessId, customerId) =>
    step(() =>
      Option.map(
        Option.fromUndefinedOr(rowOf(customers, businessId, customerId)),
        ({ email, name, phone }) => ({ email, name, phone })
      )
    ),
  lockCustomerByEmail: (businessId, email) =>
    step(() => {
      const named = customers.find(
        (customer) =>
          customer.email === email && rowOf(customers, businessId, customer.customer_id) !== undefined
      )
      return Option.fromUndefinedOr(named?.customer_id)
    }),
  lockTrip: (businessId, tripId) => step(() => rowOf(trips, businessId, tripId) !== undefined),
  lockExternalRef: (businessId, externalRef) =>
    step(() => {
      const named = trips.find(
        ({ external_ref, trip_id }) =>
          external_ref === externalRef && rowOf(trips, businessId, trip_id) !== undefined
      )
      return Option.fromUndefinedOr(named?.trip_id)
    })
}))
