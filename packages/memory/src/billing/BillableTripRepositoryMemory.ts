import {
  type BillableQuery,
  BillableTripRepository,
  type BusinessId,
  chargeOf,
  type LeftOutReason,
  type Trip,
  type UninvoicedTrips
} from "@livery/domain"
import { DateTime } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"
import { isWithin } from "../store/Ranges.ts"

/** Why a trip that is on no invoice is not billed in a currency; `undefined` if it is, or if there is nothing to bill. */
const reasonOf = (trip: Trip, currency: BillableQuery["currency"]): LeftOutReason | undefined => {
  if (trip.status !== "completed" && trip.status !== "cancelled") return "not_completed"
  if (trip.status === "cancelled" && chargeOf(trip) === 0) return undefined
  if (trip.currency !== currency) return "other_currency"
  return chargeOf(trip) > 0 ? undefined : "no_price"
}

const isEnded = ({ status }: Trip) => status === "completed" || status === "cancelled"

export const layer = inMemory(BillableTripRepository, ({ step, trips }) => {
  const uninvoiced = (businessId: BusinessId, { before, customerId, from }: BillableQuery) =>
    trips
      .where(
        (trip) =>
          trip.business_id === businessId &&
          trip.customer_id === customerId &&
          trip.deleted_at === undefined &&
          trip.invoice_id === null &&
          isWithin(trip.trip_date, from, before)
      )
      .toSorted(ascending(({ trip_date, trip_id }) => [DateTime.toEpochMillis(trip_date), trip_id]))
  return {
    customers: (businessId, { before, from }) =>
      step(() => {
        const counts = new Map<string, UninvoicedTrips>()
        for (const trip of trips.where(
          ({ business_id, deleted_at, invoice_id, trip_date }) =>
            business_id === businessId &&
            deleted_at === undefined &&
            invoice_id === null &&
            isWithin(trip_date, from, before)
        )) {
          if (trip.status === "cancelled" && chargeOf(trip) === 0) continue
          const { currency, customer_id: customerId } = trip
          const key = `${customerId ?? ""} ${currency}`
          counts.set(key, { customerId, currency, count: (counts.get(key)?.count ?? 0) + 1 })
        }
        return [...counts.values()].toSorted(
          ascending(({ currency, customerId }) => [customerId ?? Number.MAX_SAFE_INTEGER, currency])
        )
      }),
    ofCustomer: (businessId, query, most) =>
      step(() =>
        uninvoiced(businessId, query)
          .filter((trip) => trip.currency === query.currency && isEnded(trip) && chargeOf(trip) > 0)
          .slice(0, most)
          .map(({ cost_center, po_number, trip_id }) => ({ trip_id, po_number, cost_center }))
      ),
    leftOut: (businessId, query, most) =>
      step(() =>
        uninvoiced(businessId, query)
          .flatMap((trip) => {
            const reason = reasonOf(trip, query.currency)
            return reason === undefined ? [] : [{ trip_id: trip.trip_id, reason }]
          })
          .slice(0, most)
      )
  }
})
