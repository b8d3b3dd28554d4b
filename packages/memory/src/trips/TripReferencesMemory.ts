import { TripReferences } from "@livery/domain"
import { Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(TripReferences, ({ cars, customers, step, trips }) => ({
  lockCars: (businessId, carIds) =>
    step(() => carIds.filter((carId) => rowOf(cars, businessId, carId)?.active === true)),
  lockCustomer: (businessId, customerId) =>
    step(() =>
      Option.map(
        Option.fromUndefinedOr(rowOf(customers, businessId, customerId)),
        ({ email, name, phone }) => ({ email, name, phone })
      )
    ),
  lockCustomers: (businessId, customerIds) =>
    step(
      () =>
        new Map(
          customerIds.flatMap((customerId) => {
            const found = rowOf(customers, businessId, customerId)
            return found === undefined
              ? []
              : [[customerId, { name: found.name, email: found.email, phone: found.phone }]]
          })
        )
    ),
  lockCustomersByEmail: (businessId, emails) =>
    step(
      () =>
        new Map(
          customers
            .where(
              ({ customer_id, email }) =>
                email !== null &&
                emails.includes(email) &&
                rowOf(customers, businessId, customer_id) !== undefined
            )
            .map(({ customer_id, email }) => [email ?? "", customer_id])
        )
    ),
  lockTrip: (businessId, tripId) => step(() => rowOf(trips, businessId, tripId) !== undefined),
  lockExternalRefs: (businessId, externalRefs) =>
    step(
      () =>
        new Map(
          trips
            .where(
              ({ external_ref, trip_id }) =>
                external_ref !== null &&
                externalRefs.includes(external_ref) &&
                rowOf(trips, businessId, trip_id) !== undefined
            )
            .map(({ external_ref, trip_id }) => [external_ref ?? "", trip_id])
        )
    )
}))
