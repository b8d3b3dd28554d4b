import {
  type BusinessId,
  CalendarEntry,
  type CalendarOwner,
  type CalendarPeriod,
  CalendarRepository,
  CustomerId,
  DriverId,
  isOnTrip,
  type Trip,
  UserId,
  windowOf
} from "@livery/domain"
import { DateTime, Option } from "effect"
import { actingBusiness, only, rowOf } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import type { BookingRow } from "../store/Rows.ts"
import { inMemory, pair } from "../store/Store.ts"

const keyOf = (businessId: BusinessId, { id, kind }: CalendarOwner) => pair(businessId, `${kind}:${id}`)

const tripState = ({ status }: Trip, isCancelled: boolean): CalendarEntry["state"] => {
  if (isCancelled) return "cancelled"
  return status === "pending" ? "tentative" : "confirmed"
}

const latestOf = (...times: ReadonlyArray<DateTime.Utc | null>) =>
  times.flatMap((time) => time ?? []).reduce((one, other) => DateTime.max(one, other))

/** The events of the period, as PostgreSQL chooses them. */
const inPeriod = (
  entries: ReadonlyArray<CalendarEntry>,
  { from, maxPast, maxUpcoming, now, until }: CalendarPeriod
) => {
  const sorted = entries.toSorted(
    ascending(({ reference, starts_at }) => [DateTime.toEpochMillis(starts_at), reference])
  )
  const isPast = ({ starts_at }: CalendarEntry) => DateTime.isLessThan(starts_at, now)
  const past = sorted.filter(
    (entry) => isPast(entry) && DateTime.isGreaterThanOrEqualTo(entry.starts_at, from)
  )
  const upcoming = sorted.filter((entry) => !isPast(entry) && DateTime.isLessThan(entry.starts_at, until))
  return [...past.slice(Math.max(0, past.length - maxPast)), ...upcoming.slice(0, maxUpcoming)]
}

export const layer = inMemory(CalendarRepository, (store) => {
  const {
    assignments,
    bookings,
    businesses,
    calendarLinks,
    customers,
    drivers,
    members,
    products,
    step,
    trips
  } = store

  const memberOf = (businessId: BusinessId, id: number) => members.get(pair(businessId, UserId.make(id)))

  const isPresent = (businessId: BusinessId, { id, kind }: CalendarOwner) =>
    ({
      office: () => memberOf(businessId, id) !== undefined,
      driver: () => rowOf(drivers, businessId, DriverId.make(id)) !== undefined,
      customer: () => rowOf(customers, businessId, CustomerId.make(id)) !== undefined
    })[kind]()

  const isShown = (cancelledAt: DateTime.Utc | null, { cancelledSince }: CalendarPeriod) =>
    cancelledAt === null || DateTime.isGreaterThanOrEqualTo(cancelledAt, cancelledSince)

  const entryOf = (trip: Trip, isCancelled: boolean, changed_at: DateTime.Utc): CalendarEntry => ({
    ...only(CalendarEntry, trip),
    state: tripState(trip, isCancelled),
    title: null,
    drivers: [],
    starts_at: trip.trip_date,
    ends_at: windowOf(trip).ends,
    changed_at
  })

  const tripsOf = (businessId: BusinessId, period: CalendarPeriod, matches: (trip: Trip) => boolean) =>
    trips
      .where(
        (trip) =>
          trip.business_id === businessId &&
          trip.deleted_at === undefined &&
          isShown(trip.cancelled_at, period) &&
          matches(trip)
      )
      .map((trip) => ({ trip, entry: entryOf(trip, trip.status === "cancelled", trip.updated_at) }))

  const officeEntries = (businessId: BusinessId, period: CalendarPeriod) =>
    tripsOf(businessId, period, () => true).map(({ entry, trip }) => ({
      ...entry,
      drivers: assignments
        .where((assignment) => assignment.trip_id === trip.trip_id && isOnTrip(assignment))
        .map(({ driver_id }) => drivers.get(driver_id)?.name ?? "")
    }))

  const driverEntries = (businessId: BusinessId, driverId: number, period: CalendarPeriod) => {
    const own = assignments.where(
      ({ business_id, driver_id }) => business_id === businessId && driver_id === driverId
    )
    return own
      .filter(
        (job) =>
          isShown(job.cancelledAt, period) &&
          !own.some((other) => other.trip_id === job.trip_id && other.assignment_id > job.assignment_id)
      )
      .flatMap((job) =>
        tripsOf(businessId, period, ({ trip_id }) => trip_id === job.trip_id).map(({ trip }) =>
          entryOf(
            trip,
            !isOnTrip(job) || trip.status === "cancelled",
            latestOf(trip.updated_at, job.createdAt, job.cancelledAt)
          )
        )
      )
  }

  const bookingEntry = (booking: BookingRow): CalendarEntry => {
    const product = products.get(booking.product_id)
    return {
      ...only(CalendarEntry, booking),
      flight_number: null,
      terminal: null,
      special_requirements: null,
      notes: null,
      state:
        booking.status === "cancelled"
          ? "cancelled"
          : booking.status === "pending"
            ? "tentative"
            : "confirmed",
      title: product?.name ?? null,
      pickup_address: booking.pickup_address ?? product?.pickup_address ?? null,
      drivers: [],
      changed_at: booking.updated_at
    }
  }

  const customerEntries = (businessId: BusinessId, customerId: number, period: CalendarPeriod) => {
    const own = bookings.where(
      ({ business_id, customer_id, deleted_at }) =>
        business_id === businessId && customer_id === customerId && deleted_at === undefined
    )
    const shown = own.filter(
      ({ cancelled_at, status }) => status !== "expired" && isShown(cancelled_at, period)
    )
    const ofTrips = tripsOf(
      businessId,
      period,
      ({ customer_id, trip_id }) =>
        customer_id === customerId && !own.some((booking) => booking.trip_id === trip_id)
    )
    return [...shown.map(bookingEntry), ...ofTrips.map(({ entry }) => entry)]
  }

  return {
    hasOwner: (businessId, owner) => step(() => isPresent(businessId, owner)),
    setLink: (business_id, owner, tokenHash) =>
      step(() => {
        const isSet = isPresent(business_id, owner)
        if (isSet) calendarLinks.set(keyOf(business_id, owner), { business_id, owner, tokenHash })
        return isSet
      }),
    removeLink: (businessId, owner) => step(() => calendarLinks.remove(keyOf(businessId, owner))),
    findLink: (businessId, hash) =>
      step(() => {
        const link = calendarLinks.find(
          ({ business_id, tokenHash }) => business_id === businessId && tokenHash === hash
        )
        const business = businesses.get(businessId)
        if (link === undefined || business === undefined || !isPresent(businessId, link.owner))
          return Option.none()
        return Option.some({ owner: link.owner, business: actingBusiness(business) })
      }),
    entries: (businessId, { id, kind }, period) =>
      step(() =>
        inPeriod(
          {
            office: () => officeEntries(businessId, period),
            driver: () => driverEntries(businessId, id, period),
            customer: () => customerEntries(businessId, id, period)
          }[kind](),
          period
        )
      )
  }
})
