/** The contract of `PersonalData`. */
import {
  CustomerRepository,
  erasedTrip,
  isCustomerOf,
  type Person,
  PersonalData,
  TimelineRepository,
  Transaction,
  type TripId,
  TripRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { newBusiness, newCustomer, newDriver, newTrip, newUser, now, wholeList } from "./Given.ts"

const personOf = <A>(found: Option.Option<A>) => Option.getOrThrow(found)

export const personalData = contract("the data of a person", (it) => {
  it.effect("is found by the record, in its own business alone, and also after a deletion", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const email = `${unique("ada")}@example.com`
      const customer = yield* newCustomer(business, { name: "Ada", email, phone: "+41 44 668 18 00" })
      const person = personOf(yield* personal.ofCustomer(business, customer))
      const expected: Person = {
        business_id: business,
        customer_ids: [customer],
        driver_ids: [],
        user_ids: [],
        names: ["Ada"],
        emails: [email],
        phones: []
      }
      assert.deepStrictEqual(person, expected)
      assert.deepStrictEqual(yield* personal.ofCustomer(other, customer), Option.none())
      assert.deepStrictEqual(yield* personal.ofDriver(other, yield* newDriver(business)), Option.none())
      const contact = { email: null, phone: "+41446681800" }
      assert.deepStrictEqual(yield* personal.ofContact(business, contact), {
        ...expected,
        phones: ["41446681800"]
      })
      yield* newTrip(business, { customer_id: customer })
      yield* customers.remove(business, customer, now)
      assert.deepStrictEqual(yield* personal.ofCustomer(business, customer), Option.some(expected))
      const user = yield* newUser
      assert.deepInclude(personOf(yield* personal.ofUser(user)), { business_id: null, user_ids: [user] })
    })
  )

  it.effect("is open while a trip is, and retired records can no longer be referred to", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const customers = yield* CustomerRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const customer = yield* newCustomer(business, { name: "Ada" })
      const { trip_id } = yield* newTrip(business, { customer_id: customer })
      const person = personOf(yield* personal.ofCustomer(business, customer))
      assert.deepInclude(yield* personal.openWork(person, 5), { trip_ids: [trip_id], invoice_ids: [] })
      yield* transaction.run(personal.retire(person, now))
      assert.deepStrictEqual(yield* customers.find(business, customer), Option.none())
    })
  )

  it.effect("of trips is erased with the timeline, and copies of those trips are known as erased", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const transaction = yield* Transaction
      const trips = yield* TripRepository
      const timeline = yield* TimelineRepository
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const { trip_id: own } = yield* newTrip(business, { customer_name: "Ada", customer_email: email })
      const { trip_id: shared } = yield* newTrip(business, {
        customer_name: "Bea",
        passengers: [{ name: "Ada", email, phone: null }]
      })
      const { trip_id: others } = yield* newTrip(business, { customer_name: "Cora" })
      const entry = {
        change: "updated",
        driver_id: null,
        before: { customer_name: "Ada", total_amount: 1 },
        after: { customer_name: "Augusta", total_amount: 2 }
      } as const
      yield* timeline.append(business, [{ tripId: own, entries: [entry] }], now)
      const person = yield* personal.ofContact(business, { email, phone: null })
      const erased = yield* transaction.run(
        Effect.gen(function* () {
          const locked = yield* personal.lockTrips(person, 0, 10)
          const after = locked.map(({ trip }) => ({
            trip: erasedTrip(trip, person),
            isWhole: isCustomerOf(trip, person)
          }))
          yield* personal.saveTrips(after, now)
          return after.map(({ trip }) => trip.trip_id)
        })
      )
      assert.deepStrictEqual(erased, [own, shared])
      assert.deepStrictEqual(yield* personal.lockTrips(person, 0, 10), [])
      const nameOf = (tripId: TripId) =>
        Effect.map(trips.find(business, tripId), (trip) => Option.getOrThrow(trip).customer_name)
      assert.deepStrictEqual(yield* Effect.forEach([own, shared, others], nameOf), ["Erased", "Bea", "Cora"])
      const lines = Option.getOrThrow(yield* timeline.list(business, own, wholeList)).items
      assert.deepInclude(lines.at(-1), { before: { total_amount: 1 }, after: { total_amount: 2 } })
      const references = [own, shared, others].map((id) => ({ kind: "trip" as const, id }))
      assert.deepStrictEqual(yield* personal.erasedAmong(business, references), references.slice(0, 1))
    })
  )

  it.effect("is erased from the records at the end, which may be repeated", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const customer = yield* newCustomer(business, { name: "Ada", email: `${unique("ada")}@example.com` })
      const user = yield* newUser
      for (const found of [personal.ofCustomer(business, customer), personal.ofUser(user)]) {
        const person = personOf(yield* found)
        yield* transaction.run(Effect.andThen(personal.retire(person, now), personal.finish(person, now)))
        const again = personOf(yield* found)
        assert.deepInclude(again, { names: [], emails: [] })
        assert.strictEqual(yield* transaction.run(personal.finish(again, now)), 0)
      }
    })
  )
})
