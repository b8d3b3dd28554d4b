import {
  type BusinessId,
  type CustomerId,
  InvoiceBuyer,
  InvoiceFactsRepository,
  InvoiceSeller,
  tripsNamedBy
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { only } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import { pair, inMemory } from "../store/Store.ts"

export const layer = inMemory(InvoiceFactsRepository, ({ businesses, customers, retained, step, trips }) => {
  const partiesOf = (businessId: BusinessId, customerId: CustomerId | null) => {
    const business = businesses.get(businessId)
    const customer = customerId === null ? undefined : customers.get(customerId)
    return business === undefined
      ? undefined
      : {
          seller: only(InvoiceSeller, business),
          buyer:
            customer?.business_id === businessId
              ? {
                  ...only(InvoiceBuyer, customer),
                  ...retained.get(pair("customer", customer.customer_id))?.party
                }
              : null
        }
  }
  return {
    partiesOf: (businessId, customerId) =>
      Effect.flatMap(
        step(() => partiesOf(businessId, customerId)),
        (parties) => Effect.orDie(Effect.fromNullishOr(parties))
      ),
    allowsPartPayments: (businessId) =>
      step(() => businesses.get(businessId)?.part_payments_allowed ?? false),
    of: ({ business_id, customer_id, invoice_id, lines }) =>
      step(() => {
        const named = tripsNamedBy(lines)
        const parties = partiesOf(business_id, customer_id)
        return parties === undefined
          ? undefined
          : {
              ...parties,
              trips: trips
                .where(
                  (trip) =>
                    trip.business_id === business_id &&
                    ((trip.invoice_id === invoice_id && trip.deleted_at === undefined) ||
                      named.includes(trip.trip_id))
                )
                .toSorted(ascending(({ trip_date, trip_id }) => [DateTime.toEpochMillis(trip_date), trip_id]))
                .map(
                  ({
                    cost_center,
                    customer_email,
                    customer_name,
                    pickup_timezone,
                    po_number,
                    trip_date,
                    trip_id
                  }) => ({
                    trip_id,
                    trip_date,
                    pickup_timezone,
                    customer_name,
                    customer_email,
                    po_number,
                    cost_center,
                    ...retained.get(pair("trip", trip_id))?.party
                  })
                )
            }
      }).pipe(Effect.flatMap((facts) => Effect.orDie(Effect.fromNullishOr(facts))))
  }
})
