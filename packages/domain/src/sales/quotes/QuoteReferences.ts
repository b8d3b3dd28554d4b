/** The records that a quote and the trips of its items refer to. */
import { Effect, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import type { CustomerId, TripId } from "../../kernel/Ids.ts"
import type { LockedCustomer } from "../../trips/trip/CustomerReference.ts"
import { type NamedCustomer, TripReferences } from "../../trips/trip/TripReferences.ts"
import { missingReferences } from "../../trips/TripCreation.ts"
import { type QuoteItemInput, tripIssuesInQuote } from "./QuoteItem.ts"

/** The customer of a quote, with an issue for it if it is absent, and the issues of the trips of the items. */
interface QuoteReferences extends LockedCustomer {
  readonly ofItems: ReadonlyArray<FieldIssue>
}

const isId = <Id extends number>(id: Id | null): id is Id => id !== null

/** The ids without repetitions, in the order in which records are locked. */
const inLockOrder = <Id extends number>(ids: ReadonlyArray<Id | null>): ReadonlyArray<Id> =>
  [...new Set(ids.filter(isId))].toSorted((one, other) => one - other)

/**
 * Builds the function that locks the customer that a quote names, and the cars, customers and trips that the trips of its
 * items name. A quote is refused for a record that the business does not have, as a trip is. The records can be
 * deleted before the quote is converted, so its trips are checked again then.
 */
export const makeLockQuoteReferences = Effect.map(TripReferences, (references) =>
  Effect.fnUntraced(function* (
    { business_id }: ActingBusiness,
    customerId: CustomerId | null = null,
    items: ReadonlyArray<Pick<QuoteItemInput, "trip">> = []
  ): Effect.fn.Return<QuoteReferences> {
    const trips = items.map(({ trip }) => trip)
    const cars = inLockOrder(trips.map((trip) => trip?.car_id ?? null))
    const activeCars = new Set(cars.length === 0 ? [] : yield* references.lockCars(business_id, cars))
    const customers = new Map<CustomerId, NamedCustomer>()
    for (const id of inLockOrder([customerId, ...trips.map((trip) => trip?.customer_id ?? null)])) {
      const customer = yield* references.lockCustomer(business_id, id)
      if (Option.isSome(customer)) customers.set(id, customer.value)
    }
    const linkedTrips = new Set<TripId>()
    for (const id of inLockOrder(trips.map((trip) => trip?.linked_trip_id ?? null)))
      if (yield* references.lockTrip(business_id, id)) linkedTrips.add(id)

    const has = <Id>(found: { readonly has: (id: Id) => boolean }, id: Id | null) =>
      id === null || found.has(id)
    return {
      customer: customerId === null ? null : (customers.get(customerId) ?? null),
      issues: has(customers, customerId) ? [] : [{ field: "customer_id", issue: "not_found" }],
      ofItems: trips.flatMap((trip, index) =>
        trip === null
          ? []
          : tripIssuesInQuote(
              index,
              missingReferences({
                hasCar: has(activeCars, trip.car_id),
                hasCustomer: has(customers, trip.customer_id),
                hasLinkedTrip: has(linkedTrips, trip.linked_trip_id)
              })
            )
      )
    }
  })
)
