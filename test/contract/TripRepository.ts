/** The contract of `TripRepository`. */
import {
  CurrentActor,
  noDetails,
  storedTrip,
  TimelineRepository,
  Transaction,
  type Trip,
  TripIds,
  TripRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, atOnce, contract } from "./Contract.ts"
import { claimAll, eventOf, prepared } from "./Deliveries.ts"
import {
  assign,
  changeTrip,
  newBusiness,
  newCar,
  newCustomer,
  newDriver,
  newTrip,
  now,
  tripOf,
  wholeList,
  insertTrip
} from "./Given.ts"

const idsOf = (trips: ReadonlyArray<Trip>) => trips.map(({ trip_id }) => trip_id)

export const tripRepository = contract("a trip", (it) => {
  it.effect("is found by its group until it ends, in order of id and up to a number", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness
      const inGroup = (change = {}) => newTrip(business, { group_id: "Wedding", ...change })
      const [one, two, three] = [yield* inGroup(), yield* inGroup({ status: "pending" }), yield* inGroup()]
      yield* inGroup({ status: "cancelled" })
      yield* inGroup({ group_id: "Other" })
      yield* newTrip(business)
      yield* newTrip(yield* newBusiness, { group_id: "Wedding" })
      const deleted = yield* inGroup()
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      const ids = [one, two, three].map(({ trip_id }) => trip_id)
      assert.deepStrictEqual(yield* trips.openTripsOfGroup(business, "Wedding", 10), ids)
      assert.deepStrictEqual(yield* trips.openTripsOfGroup(business, "Wedding", 2), ids.slice(0, 2))
    })
  )

  it.effect(
    "is found by its group once it has ended, the latest first, from a pickup on and up to a number",
    () =>
      Effect.gen(function* () {
        const trips = yield* TripRepository
        const business = yield* newBusiness
        const ended = (time: string, change = {}) =>
          newTrip(business, { group_id: "Wedding", status: "completed", trip_date: at(time), ...change })
        const [one, two, three] = [
          yield* ended("12:00:00"),
          yield* ended("11:00:00", { status: "cancelled" }),
          yield* ended("10:00:00")
        ]
        yield* ended("13:00:00", { status: "confirmed" })
        yield* ended("13:00:00", { group_id: "Other" })
        yield* newTrip(yield* newBusiness, { group_id: "Wedding", status: "completed" })
        const ids = [one, two, three].map(({ trip_id }) => trip_id)
        const found = (from: typeof now | undefined, most: number) =>
          trips.endedTripsOfGroup(business, "Wedding", from, most)
        assert.deepStrictEqual(yield* found(undefined, 10), ids)
        assert.deepStrictEqual(yield* found(two.trip_date, 10), ids.slice(0, 2))
        assert.deepStrictEqual(yield* found(undefined, 1), ids.slice(0, 1))
      })
  )

  it.effect("is stored with the first line of its timeline", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const timelines = yield* TimelineRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const booking = tripOf(business, { total_minor: 12_950, duration_minutes: 90, notes: "naïve ☕" })
      const { trip: stored } = Option.getOrThrow(
        yield* insertTrip(booking).pipe(Effect.provideService(CurrentActor, "user:5"))
      )
      assert.deepStrictEqual(stored, storedTrip(booking, stored.trip_id, now))
      for (const read of [trips.find, trips.lock]) {
        assert.deepStrictEqual(yield* read(business, stored.trip_id), Option.some(stored))
        assert.deepStrictEqual(yield* read(other, stored.trip_id), Option.none())
      }
      const timeline = Option.getOrThrow(yield* timelines.list(business, stored.trip_id, wholeList))
      assert.deepInclude(timeline.items[0], {
        at: now,
        actor: "user:5",
        change: "created",
        before: null,
        after: { status: "confirmed" }
      })
    })
  )

  it.effect(
    "is stored with its event and the deliveries, and names the trips that it probably duplicates",
    () =>
      Effect.gen(function* () {
        const { business, endpoint } = yield* prepared
        const eventOfTrip = ({ notes, trip_id }: Trip) => {
          const event = eventOf(business)
          return { ...event, body: JSON.stringify({ data: { trip_id, notes } }) }
        }
        const notes = `"trip_id": $1 \\ ☕`
        const booking = tripOf(business, { notes })
        const first = Option.getOrThrow(yield* insertTrip(booking, eventOfTrip))
        assert.deepStrictEqual(first.duplicates, [])
        const again = tripOf(business, { notes, customer_name: "ADA" })
        const second = Option.getOrThrow(yield* insertTrip(again, eventOfTrip))
        assert.deepStrictEqual(second.duplicates, [first.trip.trip_id])
        assert.deepStrictEqual(yield* insertTrip(booking, eventOfTrip), Option.none())
        const { claimed } = yield* claimAll
        assert.sameDeepMembers(
          claimed.map(({ body, endpointId }) => ({ body, endpointId })),
          [first, second].map(({ trip: { trip_id } }) => ({
            body: JSON.stringify({ data: { trip_id, notes } }),
            endpointId: endpoint.endpoint_id
          }))
        )
      })
  )

  it.effect("is stored together with others in any state, unless its reference or its id is taken", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const timelines = yield* TimelineRepository
      const { next } = yield* TripIds
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const taken = yield* newTrip(business)
      const storedIn = Effect.fnUntraced(function* (change: Partial<Trip>) {
        const trip = tripOf(business, { external_ref: "PMS-1", total_minor: 12_950, notes: "naïve ☕" })
        return { ...storedTrip(trip, yield* next, now), ...change }
      })
      const open = yield* storedIn({})
      const done = yield* storedIn({ status: "completed", completed_at: at("09:00:00"), external_ref: null })
      const sameReference = yield* storedIn({ reference: taken.reference })
      const sameId = yield* storedIn({ trip_id: taken.trip_id })
      const twice = yield* storedIn({ reference: open.reference })
      const all = [open, sameReference, done, sameId, twice]
      assert.sameMembers([...(yield* trips.insertAll(business, all))], [open.trip_id, done.trip_id])
      for (const one of [open, done])
        assert.deepStrictEqual(yield* trips.find(business, one.trip_id), Option.some(one))
      assert.deepStrictEqual(yield* trips.find(other, open.trip_id), Option.none())
      const { items } = Option.getOrThrow(yield* timelines.list(business, open.trip_id, wholeList))
      assert.deepStrictEqual(items, [])
      assert.deepStrictEqual(yield* trips.insertAll(business, []), [])
    })
  )

  it.effect("keeps the fields that few trips have, also when they are changed and cleared", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness
      const linked = yield* newTrip(business)
      const details = {
        external_ref: "PMS-1",
        po_number: "4711",
        cost_center: "Events",
        metadata: { order: "9", "a 'quoted' key": "naïve ☕" },
        internal_notes: "Pays late",
        vehicle_class: "van",
        luggage_count: 0,
        child_seats: [{ type: "infant", count: 2 }],
        pickup_sign: "Ms Lovelace",
        stops: [{ address: "Old Town 2", lat: 47.37, lng: null, contact: "Bob", minutes: 10 }],
        passengers: [{ name: "Bob", phone: null, email: "bob@example.com" }],
        booker_name: "Zoë",
        booker_email: "zoe@example.com",
        booker_phone: "+41",
        group_id: "wedding",
        linked_trip_id: linked.trip_id,
        leg: "return",
        distance_m: 12_500,
        arrival: "domestic_flight",
        pickup_airport: "ZRH",
        dropoff_airport: "GVA",
        meet_and_greet: false,
        waiting_minutes: 0,
        tolls_minor: 1250,
        pickup_timezone: "Europe/London"
      } as const
      const trip = yield* newTrip(business, details)
      assert.deepInclude({ ...trip }, details)
      const find = Effect.map(trips.find(business, trip.trip_id), Option.getOrThrow)
      assert.deepStrictEqual(yield* find, trip)
      const changed = { ...trip, stops: [], metadata: {}, po_number: null, luggage_count: 3 }
      yield* trips.update(changed, trip)
      assert.deepStrictEqual(yield* find, changed)
      yield* trips.update({ ...changed, ...noDetails }, changed)
      assert.deepInclude({ ...(yield* find) }, noDetails)
    })
  )

  it.effect("is replaced together with others as by itself, in its own business alone", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const details = { metadata: { "a 'quoted' \\ key": "naïve ☕" }, po_number: "1", luggage_count: 0 }
      const places = { pickup_lat: -0.1, dropoff_lng: 8.541_694, total_minor: 12_345, participants_count: 2 }
      const one = yield* newTrip(business, { ...details, ...places, notes: 'A "quote", {1,2}' })
      const two = yield* newTrip(business, details)
      const three = yield* newTrip(business, details)
      const foreign = yield* newTrip(other)
      const changed = [
        { ...one, customer_name: "Erased", updated_at: at("10:00:00") },
        { ...two, ...noDetails, pickup_lat: 47.377_986, trip_date: at("19:30:00"), notes: "Two" }
      ]
      yield* trips.updateAll(business, [
        ...changed,
        { ...three, deleted_at: now },
        { ...foreign, business_id: business }
      ])
      for (const trip of changed)
        assert.deepStrictEqual(yield* trips.find(business, trip.trip_id), Option.some(trip))
      assert.deepStrictEqual(yield* trips.find(business, three.trip_id), Option.none())
      assert.deepStrictEqual(yield* trips.find(other, foreign.trip_id), Option.some(foreign))
      yield* trips.updateAll(business, [])
    })
  )

  it.effect("has a reference of its own in its business, also if several are stored at once", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const booking = tripOf(business)
      const stored = yield* atOnce(5, () => insertTrip(booking))
      assert.lengthOf(stored.filter(Option.isSome), 1)
      const elsewhere = { ...booking, business_id: yield* newBusiness }
      assert.isTrue(Option.isSome(yield* insertTrip(elsewhere)))
      // A taken reference leaves the transaction usable, so that it can try the next one.
      const transaction = yield* Transaction
      const second = transaction.run(Effect.andThen(insertTrip(booking), insertTrip(tripOf(business))))
      assert.isTrue(Option.isSome(yield* second))
    })
  )

  it.effect("is replaced without its assignments, and found no more once it is deleted", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const trip = yield* newTrip(business)
      yield* assign(trip, yield* newDriver(business))
      const before = Option.getOrThrow(yield* trips.find(business, trip.trip_id))
      assert.lengthOf(before.drivers, 1)
      const changed: Trip = {
        ...before,
        status: "cancelled",
        customer_name: "Bob",
        duration_minutes: 90,
        cancel_reason: "operator",
        cancelled_by: "operator",
        cancellation_fee_minor: 7,
        cancelled_at: at("10:00:00"),
        total_minor: 100,
        updated_at: at("10:00:00")
      }
      yield* Effect.flip(transaction.run(Effect.andThen(trips.update(changed, before), Effect.fail("no"))))
      assert.deepStrictEqual(yield* trips.find(business, trip.trip_id), Option.some(before))
      yield* trips.update({ ...changed, drivers: [] }, before)
      assert.deepStrictEqual(yield* trips.find(business, trip.trip_id), Option.some(changed))
      yield* trips.update({ ...changed, deleted_at: now }, changed)
      for (const read of [trips.find, trips.lock])
        assert.deepStrictEqual(yield* read(business, trip.trip_id), Option.none())
    })
  )

  it.effect("shows its assignments that are not cancelled, in the order in which they were made", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness
      const trip = yield* newTrip(business)
      const [dan, eve, joe] = [
        yield* newDriver(business, { name: "Dan" }),
        yield* newDriver(business, { name: "Eve" }),
        yield* newDriver(business, { name: "Joe" })
      ]
      yield* assign(trip, eve, "en_route")
      yield* assign(trip, joe, "cancelled")
      yield* assign(trip, dan, "completed")
      const { drivers } = Option.getOrThrow(yield* trips.find(business, trip.trip_id))
      assert.deepStrictEqual(
        drivers.map(({ driver_id, name, status }) => [driver_id, name, status]),
        [
          [eve, "Eve", "en_route"],
          [dan, "Dan", "completed"]
        ]
      )
    })
  )

  it.effect("is among the open trips of its car and of its customer until it ends", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness
      const refers = { car_id: yield* newCar(business), customer_id: yield* newCustomer(business) }
      const [first, ended, deleted, last] = [
        yield* newTrip(business, refers),
        yield* newTrip(business, refers),
        yield* newTrip(business, refers),
        yield* newTrip(business, refers)
      ]
      yield* newTrip(business)
      yield* changeTrip(business, ended.trip_id, { status: "completed", completed_at: now })
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      const driven = yield* newTrip(business)
      yield* assign(driven, yield* newDriver(business), "assigned", refers.car_id)
      yield* assign(yield* newTrip(business), yield* newDriver(business), "cancelled", refers.car_id)
      const open = idsOf([first, last])
      assert.deepStrictEqual(yield* trips.openTripsOfCar(business, refers.car_id), [...open, driven.trip_id])
      assert.deepStrictEqual(yield* trips.openTripsOfCustomer(business, refers.customer_id), open)
      assert.deepStrictEqual(yield* trips.openTripsOfCar(yield* newBusiness, refers.car_id), [])
    })
  )

  it.effect("without a customer gets one by its email", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const customer = yield* newCustomer(business)
      const customer_email = "ada@example.com"
      const [first, second, linked, deleted] = [
        yield* newTrip(business, { customer_email }),
        yield* newTrip(business, { customer_email }),
        yield* newTrip(business, { customer_email, customer_id: customer }),
        yield* newTrip(business, { customer_email })
      ]
      yield* newTrip(other, { customer_email })
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      const ids = idsOf([first, second])
      assert.deepStrictEqual(yield* trips.tripsWithoutCustomer(business, customer_email), ids)
      assert.deepStrictEqual(
        idsOf(yield* trips.lockAll(business, idsOf([linked, second, first, deleted]))),
        idsOf([first, second, linked])
      )
      assert.deepStrictEqual(yield* trips.lockAll(other, ids), [])
      yield* trips.setCustomer(business, ids, customer, at("10:00:00"))
      assert.deepStrictEqual(yield* trips.tripsWithoutCustomer(business, customer_email), [])
      const changed = Option.getOrThrow(yield* trips.find(business, first.trip_id))
      assert.deepInclude(changed, { customer_id: customer, updated_at: at("10:00:00") })
    })
  )
})
