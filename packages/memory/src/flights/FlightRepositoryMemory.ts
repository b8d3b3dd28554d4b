import { defaultFlightSettings, FlightRepository, isOpenTrip, isSuspended, type Trip } from "@livery/domain"
import { DateTime } from "effect"
import { actingBusiness } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import type { FlightCheckRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const checkOf = ({ booked_for, failures, set_to, trip_id }: FlightCheckRow) => ({
  trip_id,
  booked_for,
  set_to,
  failures
})

export const layer = inMemory(
  FlightRepository,
  ({ businesses, flightChecks, flightSettings, step, trips }) => {
    const isWithin = ({ trip_date, trip_id }: Trip, from: DateTime.Utc, until: DateTime.Utc) =>
      DateTime.isGreaterThanOrEqualTo(trip_date, from) &&
      DateTime.isLessThanOrEqualTo(flightChecks.get(trip_id)?.booked_for ?? trip_date, until)

    return {
      settings: (businessId) => step(() => flightSettings.get(businessId) ?? defaultFlightSettings),
      save: (businessId, settings) => step(() => void flightSettings.set(businessId, settings)),
      businesses: (after, limit) =>
        step(() =>
          businesses
            .where((business) => business.business_id > (after ?? 0) && !isSuspended(business))
            .toSorted(ascending(({ business_id }) => [business_id]))
            .flatMap((business) => {
              const settings = flightSettings.get(business.business_id)
              return settings?.enabled === true ? [{ acting: actingBusiness(business), settings }] : []
            })
            .slice(0, limit)
        ),
      claim: (businessId, { dueAgain, from, limit, now, until }) =>
        step(() => {
          const isDue = ({ flight_number, trip_id }: Trip) => {
            const row = flightChecks.get(trip_id)
            return (
              row === undefined ||
              row.flight !== flight_number ||
              (row.due_at !== null && DateTime.isLessThanOrEqualTo(row.due_at, now))
            )
          }
          return trips
            .where(
              (trip) =>
                trip.business_id === businessId &&
                trip.deleted_at === undefined &&
                trip.flight_number !== null &&
                isOpenTrip(trip.status) &&
                isWithin(trip, from, until) &&
                isDue(trip)
            )
            .toSorted(ascending(({ trip_date, trip_id }) => [DateTime.toEpochMillis(trip_date), trip_id]))
            .slice(0, limit)
            .map(({ flight_number, trip_id }) => {
              const earlier = flightChecks.get(trip_id)
              const flight = flight_number ?? ""
              const row =
                earlier?.flight === flight
                  ? { ...earlier, due_at: dueAgain }
                  : {
                      business_id: businessId,
                      trip_id,
                      flight,
                      booked_for: null,
                      set_to: null,
                      failures: 0,
                      due_at: dueAgain
                    }
              return checkOf(flightChecks.set(trip_id, row))
            })
        }),
      check: (businessId, tripId) =>
        step(() => {
          const row = flightChecks.get(tripId)
          return row?.business_id === businessId ? checkOf(row) : undefined
        }),
      record: (businessId, check, due_at) =>
        step(() => {
          if (flightChecks.get(check.trip_id)?.business_id === businessId)
            flightChecks.change(check.trip_id, { ...check, due_at })
        })
    }
  }
)
