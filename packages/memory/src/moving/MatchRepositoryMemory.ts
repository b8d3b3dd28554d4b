import { Customer, MatchRepository } from "@livery/domain"
import { DateTime } from "effect"
import { only } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"
import { storedTrips } from "../trips/StoredTrips.ts"

export const layer = inMemory(MatchRepository, (store) => {
  const { customers, invoices, step, trips } = store
  const { withDrivers } = storedTrips(store)
  const has = (list: ReadonlyArray<string>, value: string | null) => value !== null && list.includes(value)
  return {
    customers: (businessId, { emails, names, phones, refs }) =>
      step(() =>
        customers
          .where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
          .filter(
            ({ email, external_ref, name, phone }) =>
              has(refs, external_ref) ||
              has(emails, email) ||
              names.includes(name) ||
              phones.some((end) => (phone ?? "").replaceAll(/\D/gu, "").endsWith(end))
          )
          .toSorted(ascending(({ customer_id }) => [customer_id]))
          .map((row) => only(Customer, row))
      ),
    trips: (businessId, refs) =>
      step(
        () =>
          new Map(
            trips
              .where(
                ({ business_id, deleted_at, external_ref }) =>
                  business_id === businessId && deleted_at === undefined && has(refs, external_ref)
              )
              .map((trip) => [trip.external_ref ?? "", withDrivers(trip)])
          )
      ),
    sameTrips: (businessId, keys) =>
      step(() =>
        keys.map(({ customer_name, pickup_address, trip_date }) => {
          const [found] = trips
            .where(
              (trip) =>
                trip.business_id === businessId &&
                trip.deleted_at === undefined &&
                DateTime.toEpochMillis(trip.trip_date) === DateTime.toEpochMillis(trip_date) &&
                trip.pickup_address.toLowerCase() === pickup_address.toLowerCase() &&
                trip.customer_name.toLowerCase() === customer_name.toLowerCase()
            )
            .toSorted(ascending(({ trip_id }) => [trip_id]))
          return found === undefined ? null : withDrivers(found)
        })
      ),
    invoices: (businessId, numbers) =>
      step(
        () =>
          new Map(
            invoices
              .where(
                ({ business_id, deleted_at, number }) =>
                  business_id === businessId && deleted_at === undefined && numbers.includes(number)
              )
              .map(({ invoice_id, number }) => [number, invoice_id])
          )
      ),
    emailsOfTrips: (businessId, emails) =>
      step(() =>
        emails.filter(
          (email) =>
            trips.where(
              (trip) =>
                trip.business_id === businessId &&
                trip.customer_email === email &&
                trip.customer_id === null &&
                trip.deleted_at === undefined
            ).length > 0
        )
      )
  }
})
