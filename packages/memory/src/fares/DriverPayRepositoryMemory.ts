import { DriverPayRepository } from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"
import { isWithin } from "../store/Ranges.ts"

export const layer = inMemory(
  DriverPayRepository,
  ({ assignments, driverPay, drivers, step, tripFares, trips }) => ({
    find: (businessId, driverId) =>
      step(() => {
        const driver = drivers.get(driverId)
        const schemes = driverPay.get(driverId)?.schemes ?? []
        return driver?.business_id === businessId
          ? Option.some({ driver_id: driverId, name: driver.name, schemes })
          : Option.none()
      }),
    store: (business_id, driverId, schemes) =>
      Effect.asVoid(step(() => driverPay.set(driverId, { business_id, schemes }))),
    completedTrips: (businessId, driverId, { before, from }) =>
      step(() =>
        trips
          .where(
            (trip) =>
              trip.business_id === businessId &&
              trip.status === "completed" &&
              trip.deleted_at === undefined &&
              isWithin(trip.trip_date, from, before)
          )
          .toSorted(ascending(({ trip_date, trip_id }) => [DateTime.toEpochMillis(trip_date), trip_id]))
          .flatMap((trip) => {
            const completed = assignments
              .where(
                ({ assignment_id, status, trip_id }) =>
                  trip_id === trip.trip_id &&
                  status === "completed" &&
                  assignment_id > (trip.reopened_after ?? 0)
              )
              .toSorted(ascending(({ assignment_id }) => [assignment_id]))
            const own = completed.filter(({ driver_id }) => driver_id === driverId)
            if (own.length === 0) return []
            const [en_route_at = null] = own.flatMap(({ enRouteAt }) => enRouteAt ?? [])
            const done_at = own.flatMap(({ completedAt }) => completedAt ?? []).at(-1) ?? null
            const stored = tripFares.get(trip.trip_id)
            return [
              {
                trip_id: trip.trip_id,
                reference: trip.reference,
                trip_date: trip.trip_date,
                duration_minutes: trip.duration_minutes,
                pickup_address: trip.pickup_address,
                dropoff_address: trip.dropoff_address,
                currency: trip.currency,
                total_minor: trip.total_minor,
                drivers: [...new Set(completed.map(({ driver_id }) => driver_id))],
                en_route_at,
                done_at,
                fare: stored?.final ?? stored?.quoted ?? null,
                fare_currency: stored?.currency ?? null
              }
            ]
          })
      )
  })
)
