/** The contract of `PersonalData`: what is erased beside the records. */
import {
  tripWithoutPerson,
  isCustomerOf,
  MemberRepository,
  NoticeMarks,
  NoticeRepository,
  type Person,
  PersonalData,
  type SavedViewId,
  ScreenRepository,
  toldTrip,
  Transaction,
  type TripId,
  TripRepository,
  UserRepository,
  FlightRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { assign, newBusiness, newCustomer, newDriver, newTrip, newUser, now } from "./Given.ts"

const personOf = <A>(found: Option.Option<A>) => Option.getOrThrow(found)

export const personalData = contract("the data of a person", (it) => {
  it.effect("of a driver are the assignments, whose trips are locked, in order and after an id", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const [driver, other] = [yield* newDriver(business), yield* newDriver(business)]
      const [one, two] = [yield* newTrip(business), yield* newTrip(business)]
      const [first, second] = [yield* assign(two, driver), yield* assign(one, driver, "completed")]
      yield* assign(one, other)
      const person = personOf(yield* personal.ofDriver(business, driver))
      const lock = (after: number, limit: number) =>
        Effect.map(transaction.run(personal.lockAssignments(person, after, limit)), (locked) =>
          locked.map(({ assignment_id, trip_id }) => [assignment_id, trip_id])
        )
      const [expectedFirst, expectedSecond] = [
        [first.assignment_id, two.trip_id],
        [second.assignment_id, one.trip_id]
      ]
      assert.deepStrictEqual(yield* lock(0, 10), [expectedFirst, expectedSecond])
      assert.deepStrictEqual(yield* lock(0, 1), [expectedFirst])
      assert.deepStrictEqual(yield* lock(first.assignment_id, 10), [expectedSecond])
    })
  )

  it.effect("of trips is erased, and copies of those trips are known as erased", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const transaction = yield* Transaction
      const trips = yield* TripRepository
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const flights = yield* FlightRepository
      const flight = { flight_number: "LX 8", trip_date: now }
      const { trip_id: own } = yield* newTrip(business, {
        customer_name: "Ada",
        customer_email: email,
        ...flight
      })
      const { trip_id: shared } = yield* newTrip(business, {
        ...flight,
        customer_name: "Bea",
        passengers: [{ name: "Ada", email, phone: null }]
      })
      const { trip_id: others } = yield* newTrip(business, { customer_name: "Cora" })
      const day = { from: now, until: now, dueAgain: now, limit: 10 }
      assert.lengthOf(yield* flights.claim(business, { now, ...day }), 2)
      const person = yield* personal.ofContact(business, { email, phone: null })
      const erased = yield* transaction.run(
        Effect.gen(function* () {
          const locked = yield* personal.lockTrips(person, 0, 10)
          const whole = locked.filter((trip) => isCustomerOf(trip, person)).map(({ trip_id }) => trip_id)
          yield* personal.eraseBesideTrips(business, whole, now)
          for (const trip of locked) yield* trips.update(tripWithoutPerson(trip, person), trip)
          return locked.map(({ trip_id }) => trip_id)
        })
      )
      assert.deepStrictEqual(erased, [own, shared])
      assert.isUndefined(yield* flights.check(business, own))
      assert.strictEqual((yield* flights.check(business, shared))?.trip_id, shared)
      assert.deepStrictEqual(yield* personal.lockTrips(person, 0, 10), [])
      const nameOf = (tripId: TripId) =>
        Effect.map(trips.find(business, tripId), (trip) => Option.getOrThrow(trip).customer_name)
      assert.deepStrictEqual(yield* Effect.forEach([own, shared, others], nameOf), ["Erased", "Bea", "Cora"])
      const references = [own, shared, others].map((id) => ({ kind: "trip" as const, id }))
      assert.deepStrictEqual(yield* personal.erasedAmong(business, references), references.slice(0, 1))
    })
  )

  it.effect("is gone from the trips that wait to be told, also if a text alone names the person", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const business = yield* newBusiness
      const [email, phone] = [`${unique("ada")}@example.com`, "+41 44 668 18 00"]
      const customer = yield* newCustomer(business, { name: "Ada", email, phone })
      const driver = yield* newDriver(business)
      const trips = [
        yield* newTrip(business, { customer_id: customer }),
        yield* newTrip(business, { customer_name: `Ada <${email}>` }),
        yield* newTrip(business, { customer_phone: phone }),
        yield* newTrip(business)
      ]
      const [, , , driven] = trips
      if (driven !== undefined) yield* assign(driven, driver)
      const other = yield* newTrip(business)
      const stored = yield* Effect.forEach([...trips, other], ({ trip_id }) =>
        Effect.map(
          Effect.flatMap(TripRepository, (all) => all.find(business, trip_id)),
          personOf
        )
      )
      yield* (yield* NoticeMarks).mark(
        business,
        stored.map((trip) => ({ before: toldTrip(trip), isUrgent: true, hasDriver: true })),
        now
      )
      const contact: Person = {
        business_id: business,
        customer_ids: [],
        driver_ids: [],
        user_ids: [],
        names: [],
        emails: [],
        phones: [phone.replaceAll(" ", "")]
      }
      const records = [personal.ofCustomer(business, customer), personal.ofDriver(business, driver)]
      for (const found of records) yield* personal.finish(personOf(yield* found), now)
      yield* personal.finish(contact, now)
      const notices = yield* NoticeRepository
      const left = yield* Effect.filter([...trips, other], ({ trip_id }) =>
        Effect.map(notices.take({ business_id: business, trip_id }, now), Option.isSome)
      )
      assert.deepStrictEqual(left, [other])
    })
  )

  it.effect("is erased from the records at the end, which may be repeated", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const customer = yield* newCustomer(business, { name: "Ada", email: `${unique("ada")}@example.com` })
      const users = yield* UserRepository
      const user = yield* newUser
      yield* users.markVerified(user, now)
      for (const found of [personal.ofCustomer(business, customer), personal.ofUser(user)]) {
        const person = personOf(yield* found)
        yield* transaction.run(Effect.andThen(personal.retire(person, now), personal.finish(person, now)))
        const again = personOf(yield* found)
        assert.deepInclude(again, { names: [], emails: [] })
        assert.strictEqual(yield* transaction.run(personal.finish(again, now)), 0)
      }
      assert.isFalse(Option.getOrThrow(yield* users.find(user)).email_verified)
    })
  )

  it.effect("of members is their saved views, and no other user's, and views are removed", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const screens = yield* ScreenRepository
      const members = yield* MemberRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [member, colleague, stranger] = [yield* newUser, yield* newUser, yield* newUser]
      for (const user of [member, colleague]) yield* members.add(business, user, "dispatcher")
      yield* members.add(other, stranger, "owner")
      const ids: Array<SavedViewId> = []
      for (const user of [member, colleague, stranger]) {
        const view = { name: "Ada's rides", screen: "trips", query: "q=Ada" }
        ids.push(Option.getOrThrow(yield* screens.insertView(user, view, now)).view_id)
      }
      const views = Effect.map(personal.views(business), (found) =>
        found.map(({ name, query, view_id }) => ({ name, query, view_id }))
      )
      const viewOf = (view_id = ids[0]) => ({ name: "Ada's rides", query: "q=Ada", view_id })
      assert.deepStrictEqual(yield* views, [viewOf(), viewOf(ids[1])])
      yield* personal.removeViews(ids.slice(0, 1))
      assert.deepStrictEqual(yield* views, [viewOf(ids[1])])
      assert.lengthOf(yield* screens.views(stranger), 1)
    })
  )
})
