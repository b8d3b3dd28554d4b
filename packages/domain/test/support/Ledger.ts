/** Trips with their drivers, cars, customers and events in memory, as the ports promise them. */
import {
  type Assignment,
  type AssignmentId,
  AssignmentRepository,
  type BusinessId,
  type ClashPolicy,
  type CustomerId,
  type DomainEvent,
  type DriverId,
  EventLog,
  isLive,
  isOpenTrip,
  nearbyMinutes,
  type NewTimelineEntry,
  overlaps,
  ScheduleRepository,
  storedTrip,
  TimelineRepository,
  type TimelineEntry,
  type Trip,
  type TripId,
  tripMachine,
  TripReferences,
  TripRepository,
  windowOf
} from "@livery/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { memoryTransactions } from "./MemoryTransactions.ts"

/** An assignment with what the trip does not show of it. */
interface StoredAssignment extends Assignment {
  readonly trip_id: TripId
  readonly tokenHash: string | null
}

type Line = NewTimelineEntry & { readonly trip_id: TripId }

export const ledger = () => {
  const transaction = memoryTransactions()
  const calls: Array<string> = []
  const trips: Array<Trip> = []
  const deleted = new Set<number>()
  const assignments: Array<StoredAssignment> = []
  const lines: Array<Line> = []
  const events: Array<DomainEvent> = []
  const references: Array<string> = []
  /**
   * What there is, as `business/id`: cars, drivers who can be given work, customers by id and by email; how many of
   * the next references are taken, and what the business makes of clashes.
   */
  const given = {
    cars: new Set<string>(),
    drivers: new Set<string>(),
    customers: new Set<string>(),
    emails: new Map<string, number>(),
    taken: 0,
    policy: "warn" as ClashPolicy,
    turnaround: 0
  }

  const driversOf = (tripId: TripId): ReadonlyArray<Assignment> =>
    assignments
      .filter(({ status, trip_id }) => trip_id === tripId && status !== "cancelled")
      .map(({ tokenHash: _hash, trip_id: _trip, ...assignment }) => assignment)

  const found = (businessId: BusinessId, tripId: TripId): Option.Option<Trip> =>
    Option.map(
      Option.fromUndefinedOr(
        trips.find(
          ({ business_id, trip_id }) =>
            business_id === businessId && trip_id === tripId && !deleted.has(tripId)
        )
      ),
      (trip) => ({ ...trip, drivers: driversOf(tripId) })
    )

  const replace = (tripId: TripId, trip: Trip) => {
    trips[trips.findIndex(({ trip_id }) => trip_id === tripId)] = trip
  }

  const change = (
    ids: ReadonlyArray<AssignmentId>,
    by: (assignment: StoredAssignment) => StoredAssignment
  ) => {
    for (const [index, assignment] of assignments.entries())
      if (ids.includes(assignment.assignment_id)) assignments[index] = by(assignment)
  }

  const openTrips = (businessId: BusinessId, refers: (trip: Trip) => boolean) =>
    trips
      .filter(
        (trip) =>
          trip.business_id === businessId &&
          !deleted.has(trip.trip_id) &&
          !tripMachine.isTerminal(trip.status) &&
          refers(trip)
      )
      .map(({ trip_id }) => trip_id)

  const Trips = Layer.succeed(
    TripRepository,
    TripRepository.of({
      insert: (trip, now) =>
        transaction.noting(
          calls,
          "trip",
          Effect.sync(() => {
            references.push(trip.reference)
            if (given.taken-- > 0) return Option.none<Trip>()
            const stored = storedTrip(trip, (trips.length + 1) as TripId, now)
            trips.push(stored)
            const after = { status: trip.status }
            lines.push({ trip_id: stored.trip_id, change: "created", driver_id: null, before: null, after })
            return Option.some(stored)
          })
        ),
      find: (businessId, tripId) => Effect.sync(() => found(businessId, tripId)),
      lock: (businessId, tripId) =>
        transaction.noting(
          calls,
          "lock",
          Effect.sync(() => found(businessId, tripId))
        ),
      update: (trip) =>
        Effect.sync(() => {
          replace(trip.trip_id, trip)
          if (trip.deleted_at !== undefined) deleted.add(trip.trip_id)
        }),
      lockAll: (businessId, tripIds) =>
        Effect.sync(() => tripIds.flatMap((tripId) => Option.toArray(found(businessId, tripId)))),
      setCustomer: (_businessId, tripIds, customer_id, updated_at) =>
        Effect.sync(() => {
          for (const trip of trips.filter(({ trip_id }) => tripIds.includes(trip_id)))
            replace(trip.trip_id, { ...trip, customer_id, updated_at })
        }),
      tripsWithoutCustomer: (businessId, email) =>
        Effect.sync(() =>
          trips
            .filter(
              (trip) =>
                trip.business_id === businessId &&
                !deleted.has(trip.trip_id) &&
                trip.customer_id === null &&
                trip.customer_email === email
            )
            .map(({ trip_id }) => trip_id)
        ),
      openTripsOfCar: (businessId, carId) =>
        Effect.sync(() => openTrips(businessId, ({ car_id }) => car_id === carId)),
      openTripsOfCustomer: (businessId, customerId) =>
        Effect.sync(() => openTrips(businessId, ({ customer_id }) => customer_id === customerId))
    })
  )

  const Assignments = Layer.succeed(
    AssignmentRepository,
    AssignmentRepository.of({
      find: (businessId, assignmentId) =>
        Effect.sync(() =>
          Option.map(
            Option.fromUndefinedOr(
              assignments.find(
                ({ assignment_id, trip_id }) =>
                  assignment_id === assignmentId && Option.isSome(found(businessId, trip_id))
              )
            ),
            ({ tokenHash: _hash, trip_id, ...assignment }) => ({ trip_id, assignment })
          )
        ),
      findLast: (_businessId, tripId, driverId) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(
            assignments.findLast(({ driver_id, trip_id }) => driver_id === driverId && trip_id === tripId)
          )
        ),
      lockDrivers: (businessId, driverIds) =>
        transaction.noting(
          calls,
          "drivers",
          Effect.sync(() => driverIds.filter((id) => given.drivers.has(`${businessId}/${id}`)))
        ),
      insert: (_businessId, trip_id, _window, drivers) =>
        Effect.sync(() =>
          drivers.map(({ driver_id, tokenHash }) => {
            const assignment: Assignment = {
              assignment_id: (assignments.length + 1) as AssignmentId,
              driver_id,
              name: `Driver ${driver_id}`,
              status: "assigned",
              milestones: []
            }
            assignments.push({ ...assignment, trip_id, tokenHash })
            return assignment
          })
        ),
      setStatus: (_businessId, ids, { status }) =>
        Effect.sync(() =>
          change(ids, (assignment) => ({
            ...assignment,
            status,
            tokenHash: isLive({ status }) ? assignment.tokenHash : null
          }))
        ),
      setWindow: () => Effect.void,
      insertMilestone: (_businessId, assignmentId, milestone) =>
        Effect.sync(() =>
          change([assignmentId], (assignment) => ({
            ...assignment,
            milestones: [...assignment.milestones, milestone]
          }))
        ),
      openTrips: (businessId, driverId) =>
        Effect.sync(() =>
          openTrips(businessId, ({ trip_id }) =>
            driversOf(trip_id).some((it) => it.driver_id === driverId && isLive(it))
          )
        )
    })
  )

  const Schedules = Layer.succeed(
    ScheduleRepository,
    ScheduleRepository.of({
      policy: () => Effect.sync(() => ({ clash_policy: given.policy, turnaround_minutes: given.turnaround })),
      lock: () => transaction.noting(calls, "turns", Effect.void),
      nearby: (businessId, { carId, driverIds, tripId, window }) =>
        Effect.sync(() => {
          const around = {
            starts: DateTime.subtract(window.starts, { minutes: nearbyMinutes }),
            ends: DateTime.add(window.ends, { minutes: nearbyMinutes })
          }
          const others = trips
            .flatMap(({ trip_id }) => Option.toArray(found(businessId, trip_id)))
            .filter((other) => other.trip_id !== tripId && overlaps(windowOf(other), around))
          const legOf = (other: Trip) => ({ ...other, ...windowOf(other) })
          return [
            ...driverIds.flatMap((driver_id) =>
              others
                .filter(({ drivers }) => drivers.some((it) => it.driver_id === driver_id && isLive(it)))
                .map((other) => ({ ...legOf(other), driver_id, car_id: null }))
            ),
            ...others
              .filter(({ car_id, status }) => car_id !== null && car_id === carId && isOpenTrip(status))
              .map((other) => ({ ...legOf(other), driver_id: null }))
          ]
        }),
      particulars: () => Effect.succeed({ seats: null, licenses: [], duplicates: [] })
    })
  )

  const Lines = Layer.succeed(
    TimelineRepository,
    TimelineRepository.of({
      append: (_businessId, changes) =>
        transaction.noting(
          calls,
          "timeline",
          Effect.sync(() => {
            for (const { entries, tripId } of changes)
              lines.push(...entries.map((entry) => ({ ...entry, trip_id: tripId })))
          })
        ),
      list: (businessId, tripId) =>
        Effect.map(DateTime.now, (at) =>
          Option.map(found(businessId, tripId), () => {
            const items = lines
              .filter(({ trip_id }) => trip_id === tripId)
              .map(({ trip_id: _trip, ...line }, index): TimelineEntry => {
                return { ...line, change_id: index + 1, at, actor: "system" }
              })
            return { items, total: items.length, hasMore: false }
          })
        )
    })
  )

  const Others = Layer.mergeAll(
    Layer.succeed(
      TripReferences,
      TripReferences.of({
        lockCar: (businessId, carId) =>
          transaction.noting(
            calls,
            "car",
            Effect.sync(() => given.cars.has(`${businessId}/${carId}`))
          ),
        lockCustomer: (businessId, customerId) =>
          Effect.sync(() => given.customers.has(`${businessId}/${customerId}`)),
        lockCustomerByEmail: (businessId, email) =>
          Effect.sync(() =>
            Option.map(
              Option.fromUndefinedOr(given.emails.get(`${businessId}/${email}`)),
              (id) => id as CustomerId
            )
          )
      })
    ),
    Layer.succeed(
      EventLog,
      EventLog.of({
        record: (event) =>
          transaction.noting(
            calls,
            "event",
            Effect.sync(() => void events.push(event))
          )
      })
    )
  )

  return {
    calls,
    trips,
    deleted,
    assignments,
    lines,
    events,
    references,
    given,
    /** Makes drivers of a business who can be given work. */
    hire: (businessId: number, ...ids: ReadonlyArray<number>): ReadonlyArray<DriverId> => {
      for (const id of ids) given.drivers.add(`${businessId}/${id}`)
      return ids.map((id) => id as DriverId)
    },
    layer: Layer.mergeAll(transaction.layer, Trips, Assignments, Schedules, Lines, Others),
    transaction: transaction.state
  }
}
