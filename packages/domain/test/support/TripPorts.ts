/** Trips with their drivers, cars, customers and events, on the ports in memory. */
import {
  AssignmentRepository,
  BusinessId,
  CarId,
  CarInput,
  type ClashPolicy,
  CustomerId,
  CustomerInput,
  type DomainEvent,
  DriverId,
  DriverInput,
  EventLog,
  ScheduleRepository,
  TimelineRepository,
  type Trip,
  TripId,
  TripReferences,
  TripRepository
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { Effect, Layer } from "effect"
import { addBusiness, stamps } from "./Businesses.ts"
import { decoded } from "./Decoding.ts"
import { observed } from "./Observed.ts"

export const tripPorts = () => {
  const store = Store.make()
  for (const id of [1, 2]) addBusiness(store, id)
  const { calls, observing, state: transaction, Transactions } = observed()
  const events: Array<DomainEvent> = []
  const references: Array<string> = []
  /** How many of the next references are in use already. */
  const given = { taken: 0 }

  const Observed = Layer.mergeAll(
    Transactions,
    Layer.effect(
      TripRepository,
      Effect.map(TripRepository, (trips) =>
        TripRepository.of({
          ...trips,
          insert: (creation) =>
            observing(
              "trip",
              Effect.suspend(() => {
                references.push(creation.trip.reference)
                if (given.taken-- > 0) return Effect.succeedNone
                if (creation.event !== undefined) events.push(creation.event)
                return trips.insert(creation)
              })
            ),
          lock: (...trip) => observing("lock", trips.lock(...trip))
        })
      )
    ),
    Layer.effect(
      AssignmentRepository,
      Effect.map(AssignmentRepository, (assignments) =>
        AssignmentRepository.of({
          ...assignments,
          lockDrivers: (...drivers) => observing("drivers", assignments.lockDrivers(...drivers))
        })
      )
    ),
    Layer.effect(
      ScheduleRepository,
      Effect.map(ScheduleRepository, (schedules) =>
        ScheduleRepository.of({
          ...schedules,
          lock: (...resources) => observing("lockSchedules", schedules.lock(...resources))
        })
      )
    ),
    Layer.effect(
      TimelineRepository,
      Effect.map(TimelineRepository, (timelines) =>
        TimelineRepository.of({
          ...timelines,
          append: (...entries) => observing("timeline", timelines.append(...entries))
        })
      )
    ),
    Layer.effect(
      TripReferences,
      Effect.map(TripReferences, (found) =>
        TripReferences.of({
          ...found,
          lockCars: (businessId, carIds) =>
            carIds.length === 0 ? Effect.succeed([]) : observing("car", found.lockCars(businessId, carIds))
        })
      )
    ),
    Layer.effect(
      EventLog,
      Effect.map(EventLog, (log) => {
        const record = (event: DomainEvent) =>
          observing(
            "event",
            Effect.andThen(
              log.record(event),
              Effect.sync(() => void events.push(event))
            )
          )
        return EventLog.of({ record, recordAll: (all) => Effect.forEach(all, record, { discard: true }) })
      })
    )
  )

  return {
    calls,
    /** The recorded events. A test may remove those that it has seen. */
    events,
    references,
    given,
    transaction,
    store,
    trips: () => store.trips.where(),
    assignments: () => store.assignments.where(),
    /** The entries of all timelines, without their time and author. */
    lines: () =>
      store.timeline.where().map(({ after, before, change, driver_id, trip_id }) => ({
        trip_id,
        change,
        driver_id,
        before,
        after
      })),
    /** Changes the stored trip itself, without a use case. */
    changeTrip: (id: number, change: Partial<Trip>) => store.trips.change(TripId.make(id), change),
    /** Makes drivers of a business, called `Driver 11`, … */
    addDrivers: (businessId: number, ...ids: ReadonlyArray<number>): ReadonlyArray<DriverId> =>
      ids.map((id) => {
        const driver_id = DriverId.make(id)
        const { confirm_seat: _seat, ...profile } = decoded(DriverInput, { name: `Driver ${id}` })
        const business_id = BusinessId.make(businessId)
        store.drivers.set(driver_id, { ...profile, driver_id, business_id, user_id: null, ...stamps })
        return driver_id
      }),
    /** Makes a driver inactive. */
    deactivateDriver: (id: number) => store.drivers.change(DriverId.make(id), { active: false }),
    addCar: (businessId: number, id: number) => {
      const car_id = CarId.make(id)
      const business_id = BusinessId.make(businessId)
      store.cars.set(car_id, { ...decoded(CarInput, { name: "Car" }), car_id, business_id, ...stamps })
    },
    /** Makes a car inactive. */
    deactivateCar: (id: number) => store.cars.change(CarId.make(id), { active: false }),
    addCustomer: (businessId: number, id: number, email: string) => {
      const customer_id = CustomerId.make(id)
      const business_id = BusinessId.make(businessId)
      const input = decoded(CustomerInput, { name: "Ada", email })
      store.customers.set(customer_id, { ...input, customer_id, business_id, ...stamps })
    },
    setPolicy: (clash_policy: ClashPolicy) => store.businesses.change(BusinessId.make(1), { clash_policy }),
    layer: Observed.pipe(Layer.provideMerge(Memory.layerOn(Layer.succeed(Store, store))))
  }
}
