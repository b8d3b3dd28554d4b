/** The contract of the filters that `TripListRepository` and `DispatchBoardRepository` share. */
import {
  type BusinessId,
  DispatchBoardRepository,
  flightKey,
  searchedTripWords,
  type TripCriteria,
  TripListRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { at, contract, unique } from "./Contract.ts"
import {
  assign,
  changeTrip,
  newBusiness,
  newCar,
  newCustomer,
  newDriver,
  newTrip,
  now,
  wholeList
} from "./Given.ts"

const board = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 1 }) }

/** The ids of the trips that the criteria find; the list, its pages by cursor, and the board agree. */
const found = Effect.fnUntraced(function* (business: BusinessId, criteria: TripCriteria) {
  const lists = yield* TripListRepository
  const boards = yield* DispatchBoardRepository
  const query = { ...criteria, order: "soonest" } as const
  const listed = yield* lists.page(business, query, wholeList)
  assert.strictEqual(listed.total, listed.items.length)
  const jobs = yield* boards.jobs(business, { ...criteria, ...board }, wholeList)
  const ids = jobs.items.map(({ trip }) => trip.trip_id)
  assert.strictEqual(jobs.total, ids.length)
  const idsListed = listed.items.map(({ trip_id }) => trip_id)
  // With updatedSince, the list has an order of its own.
  if (criteria.updatedSince !== undefined) {
    assert.sameMembers(idsListed, ids)
    return ids
  }
  assert.deepStrictEqual(idsListed, ids)
  const latest = yield* lists.page(business, { ...query, order: "latest" }, { page: 1, perPage: 1 })
  const rest =
    latest.nextCursor === undefined
      ? []
      : Option.getOrThrow(yield* lists.after(business, { ...query, order: "latest" }, latest.nextCursor, 100))
          .items
  assert.deepStrictEqual(
    [...latest.items, ...rest].map(({ trip_id }) => trip_id),
    ids.toReversed()
  )
  return ids
})

const searched = (business: BusinessId, search: string) =>
  found(business, { words: searchedTripWords(search) })

export const tripCriteria = contract("the filters of trips", (it) => {
  it.effect("find a trip by the beginnings of its words, in its own business", () =>
    Effect.gen(function* () {
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const reference = `TR-${unique("Q7")}`
      const described = {
        customer_name: "Zoë van der Müller",
        customer_email: "zoe.m@example.com",
        customer_phone: "+41 79 123 45 67",
        flight_number: "LX 318",
        pickup_address: "Bahnhofstraße 12, Zürich",
        pickup_postal_code: "8001",
        dropoff_address: "O'Hare Airport"
      }
      const { trip_id } = yield* newTrip(business, { ...described, reference })
      yield* newTrip(business, { customer_name: "Ada", trip_date: at("12:00:00") })
      yield* newTrip(other, described)
      for (const search of [
        reference,
        reference.toLowerCase().slice(0, -1),
        reference.slice(3),
        "zoe mull",
        "ZOE.M@exam",
        "079 123 45",
        "4567",
        "LX318",
        "lx 318",
        "318",
        "bahnhof 12",
        "zurich zoe",
        "8001",
        "o'hare",
        "hare"
      ])
        assert.deepStrictEqual(yield* searched(business, search), [trip_id], search)
      for (const search of ["oe", "zoe x", "999", "null", "!", "TR-999"])
        assert.deepStrictEqual(yield* searched(business, search), [], search)
    })
  )

  it.effect("find a trip by its words as they are, not as they were, and no deleted trip", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const { trip_id } = yield* newTrip(business, { customer_name: "Ada", customer_phone: "044 123" })
      yield* changeTrip(business, trip_id, { customer_name: "Bob" })
      assert.deepStrictEqual(yield* searched(business, "ada"), [])
      assert.deepStrictEqual(yield* searched(business, "bob 123"), [trip_id])
      yield* changeTrip(business, trip_id, { deleted_at: now })
      assert.deepStrictEqual(yield* searched(business, "bob"), [])
    })
  )

  it.effect("find a driver's trips, without cancelled assignments and those from before a reopening", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const [dan, eve] = [yield* newDriver(business), yield* newDriver(business)]
      const [late, early, left, reopened] = [
        yield* newTrip(business, { trip_date: at("20:00:00") }),
        yield* newTrip(business, { trip_date: at("10:00:00") }),
        yield* newTrip(business),
        yield* newTrip(business, { trip_date: at("21:00:00") })
      ]
      yield* assign(late, dan)
      yield* assign(late, eve)
      yield* assign(early, dan, "completed")
      yield* assign(left, dan, "cancelled")
      const { assignment_id } = yield* assign(reopened, dan, "completed")
      yield* changeTrip(business, reopened.trip_id, { reopened_after: assignment_id })
      const driverId = dan
      assert.deepStrictEqual(yield* found(business, { driverId }), [early.trip_id, late.trip_id])
      assert.deepStrictEqual(yield* found(business, { driverId, tripType: "transfer" }), [
        early.trip_id,
        late.trip_id
      ])
      yield* assign(reopened, dan)
      assert.deepStrictEqual(yield* found(business, { driverId }), [
        early.trip_id,
        late.trip_id,
        reopened.trip_id
      ])
      yield* changeTrip(business, early.trip_id, { deleted_at: now })
      assert.deepStrictEqual(yield* found(business, { driverId }), [late.trip_id, reopened.trip_id])
      assert.deepStrictEqual(yield* found(business, { driverId: eve }), [late.trip_id])
    })
  )

  it.effect("compare the other fields, alone and combined", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const [van, sedan] = [
        yield* newCar(business, { vehicle_class: "van" }),
        yield* newCar(business, { vehicle_class: "sedan" })
      ]
      const another = yield* newCar(business, { vehicle_class: "van" })
      const customer = yield* newCustomer(business)
      const driver = yield* newDriver(business)
      const [one, two, three] = [
        yield* newTrip(business, { car_id: van, customer_id: customer, flight_number: "lx 318" }),
        yield* newTrip(business, { car_id: sedan, trip_type: "event", flight_number: "LX318" }),
        yield* newTrip(business, { car_id: another, trip_date: at("08:00:00") })
      ]
      const { trip_id: none } = yield* newTrip(business, {
        trip_date: at("23:00:00"),
        vehicle_class: "bus",
        external_ref: "ext-7",
        po_number: "PO 7",
        cost_center: "CC/9"
      })
      yield* assign(two, driver)
      yield* changeTrip(business, two.trip_id, { driver_status: "assigned", updated_at: at("11:00:00") })
      const of = (criteria: TripCriteria) => found(business, criteria)
      assert.deepStrictEqual(yield* of({ carId: van }), [one.trip_id])
      assert.deepStrictEqual(yield* of({ customerId: customer }), [one.trip_id])
      assert.deepStrictEqual(yield* of({ driverStatus: "assigned" }), [two.trip_id])
      assert.deepStrictEqual(yield* of({ tripType: "event" }), [two.trip_id])
      assert.deepStrictEqual(yield* of({ vehicleClass: "van" }), [three.trip_id, one.trip_id])
      assert.deepStrictEqual(yield* of({ orderedClass: "bus" }), [none])
      assert.deepStrictEqual(yield* of({ externalRef: "ext-7" }), [none])
      assert.deepStrictEqual(yield* of({ poNumber: "PO 7", costCenter: "CC/9" }), [none])
      assert.deepStrictEqual(yield* of({ poNumber: "PO 7", costCenter: "CC/8" }), [])
      assert.deepStrictEqual(yield* of({ vehicleClass: "van", customerId: customer }), [one.trip_id])
      assert.deepStrictEqual(yield* of({ reference: one.reference }), [one.trip_id])
      assert.deepStrictEqual(yield* of({ flightKey: flightKey("lx318") }), [one.trip_id, two.trip_id])
      assert.deepStrictEqual(yield* of({ updatedSince: at("11:00:00") }), [two.trip_id])
      assert.deepStrictEqual(yield* of({ updatedSince: at("11:00:01") }), [])
      assert.deepStrictEqual(yield* of({ updatedSince: now }), [
        three.trip_id,
        one.trip_id,
        two.trip_id,
        none
      ])
      const combined: TripCriteria = {
        words: searchedTripWords("lx318"),
        driverId: driver,
        carId: sedan,
        driverStatus: "assigned",
        tripType: "event",
        vehicleClass: "sedan",
        reference: two.reference,
        flightKey: flightKey("LX 318"),
        updatedSince: at("10:00:00")
      }
      assert.deepStrictEqual(yield* of(combined), [two.trip_id])
      assert.deepStrictEqual(yield* of({ ...combined, carId: van }), [])
      assert.deepStrictEqual(yield* of({ ...combined, vehicleClass: "van" }), [])
    })
  )

  it.effect("find a trip by its codes, and by people's names however they are written", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const named = (customer_name: string) => newTrip(business, { customer_name })
      const trips = {
        strasse: yield* newTrip(business, { pickup_address: "Straße des 17. Juni" }),
        lodz: yield* newTrip(business, { dropoff_address: "Łódź Fabryczna" }),
        odegard: yield* named("Kari Ødegård"),
        isik: yield* named("Işık"),
        obrien: yield* named("Pat O'Brien"),
        dangelo: yield* named("Eva DAngelo"),
        yamada: yield* named("山田太郎"),
        kim: yield* named("김민준"),
        flight: yield* newTrip(business, { flight_number: "QF 0117" }),
        plain: yield* newTrip(business, { flight_number: "LH117" }),
        coded: yield* newTrip(business, {
          external_ref: "EXT-77",
          po_number: "PO/123",
          cost_center: "Sales 9"
        })
      }
      const expected: ReadonlyArray<readonly [search: string, trip: keyof typeof trips]> = [
        ["strasse", "strasse"],
        ["STRASSE 17", "strasse"],
        ["lodz", "lodz"],
        ["łódź", "lodz"],
        ["odegard", "odegard"],
        ["IŞIK", "isik"],
        ["isik", "isik"],
        ["ışık", "isik"],
        ["obrien", "obrien"],
        ["O’Brien", "obrien"],
        ["d'angelo", "dangelo"],
        ["太郎", "yamada"],
        ["田", "yamada"],
        ["山田太郎", "yamada"],
        ["민준", "kim"],
        ["QF117", "flight"],
        ["qf 117", "flight"],
        ["QF 0117", "flight"],
        ["LH 0117", "plain"],
        ["LH0117", "plain"],
        ["ext-77", "coded"],
        ["po/123", "coded"],
        ["sales 9", "coded"]
      ]
      for (const [search, trip] of expected)
        assert.deepStrictEqual(yield* searched(business, search), [trips[trip].trip_id], search)
      for (const flight of ["QF117", "qf 0117", "QF-117"])
        assert.deepStrictEqual(yield* found(business, { flightKey: flightKey(flight) }), [
          trips.flight.trip_id
        ])
    })
  )

  it.effect("look at the car that drives a trip, not at the trip's own if a driver has another", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const [van, sedan] = [
        yield* newCar(business, { vehicle_class: "van" }),
        yield* newCar(business, { vehicle_class: "sedan" })
      ]
      const [own, other, both, handed] = [
        yield* newTrip(business, { car_id: van }),
        yield* newTrip(business, { car_id: van }),
        yield* newTrip(business, { car_id: van }),
        yield* newTrip(business)
      ]
      yield* assign(own, yield* newDriver(business))
      for (const trip of [other, both]) yield* assign(trip, yield* newDriver(business), "assigned", sedan)
      yield* assign(both, yield* newDriver(business))
      yield* assign(handed, yield* newDriver(business), "assigned", sedan)
      // A later driver of the same car, who is no longer on the trip.
      yield* assign(handed, yield* newDriver(business), "cancelled", sedan)
      const ofSedan = [other.trip_id, both.trip_id, handed.trip_id]
      assert.deepStrictEqual(yield* found(business, { carId: van }), [own.trip_id, both.trip_id])
      assert.deepStrictEqual(yield* found(business, { carId: sedan }), ofSedan)
      assert.deepStrictEqual(yield* found(business, { vehicleClass: "sedan" }), ofSedan)
    })
  )

  it.effect("match nothing for another business's ids", () =>
    Effect.gen(function* () {
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [car, customer] = [yield* newCar(other, { vehicle_class: "van" }), yield* newCustomer(other)]
      const driver = yield* newDriver(other)
      const theirs = yield* newTrip(other, { car_id: car, customer_id: customer })
      yield* assign(theirs, driver)
      yield* newTrip(business)
      for (const criteria of [
        { carId: car },
        { customerId: customer },
        { driverId: driver },
        { vehicleClass: "van" },
        { reference: theirs.reference }
      ] as const) {
        assert.deepStrictEqual(yield* found(business, criteria), [])
        assert.deepStrictEqual(yield* found(other, criteria), [theirs.trip_id])
      }
    })
  )
})
