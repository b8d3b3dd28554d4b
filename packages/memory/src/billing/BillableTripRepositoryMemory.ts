import { BillableTripRepository, chargeOf } from "@livery/domain"
import { DateTime } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"
import { isWithin } from "../store/Ranges.ts"

export const layer = inMemory(BillableTripRepository, ({ step, trips }) => ({
  ofCustomer: (businessId, { before, currency, customerId, from }, most) =>
    step(() =>
      trips
        .where(
          (trip) =>
            trip.business_id === businessId &&
            trip.customer_id === customerId &&
            trip.deleted_at === undefined &&
            trip.invoice_id === null &&
            trip.currency === currency &&
            isWithin(trip.trip_date, from, before) &&
            (trip.status === "completed" || trip.status === "cancelled") &&
            chargeOf(trip) > 0
        )
        .toSorted(ascending(({ trip_date, trip_id }) => [DateTime.toEpochMillis(trip_date), trip_id]))
        .slice(0, most)
        .map(({ cost_center, po_number, trip_id }) => ({ trip_id, po_number, cost_center }))
    )
}))
