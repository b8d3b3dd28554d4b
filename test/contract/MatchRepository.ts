/** The contract of `MatchRepository`, and of inserting many customers. */
import { CustomerInput, CustomerRepository, MatchRepository, TripRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { at, contract } from "./Contract.ts"
import { assign, changeTrip, newBusiness, newDriver, newTrip, now } from "./Given.ts"

const customer = (fields: typeof CustomerInput.Encoded) => Schema.decodeSync(CustomerInput)(fields)

export const matchRepository = contract("the records of many lines", (it) => {
  it.effect("are customers by an external_ref, an email, the end of a phone number, or a name", () =>
    Effect.gen(function* () {
      const matches = yield* MatchRepository
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const all = [
        customer({ name: "Ada", external_ref: "K-1" }),
        customer({ name: "Grace", email: "grace@example.com" }),
        customer({ name: "Jo", phone: "+41 44 668 18 00" }),
        customer({ name: "Mary" }),
        customer({ name: "Nobody" })
      ]
      const stored = yield* customers.insertAll(business, all, now)
      yield* customers.insertAll(other, all, now)
      assert.deepStrictEqual(
        stored.map(({ name }) => name),
        all.map(({ name }) => name)
      )
      const found = yield* matches.customers(business, {
        refs: ["K-1", "K-2"],
        emails: ["grace@example.com"],
        phones: ["446681800"],
        names: ["Mary"]
      })
      assert.deepStrictEqual(found, stored.slice(0, 4))
      const none = { refs: [], emails: [], phones: [], names: [] }
      assert.deepStrictEqual(yield* matches.customers(business, none), [])
    })
  )

  it.effect(
    "are trips that are not deleted, by an external_ref, or by the time, the place and the name",
    () =>
      Effect.gen(function* () {
        const matches = yield* MatchRepository
        const [business, other] = [yield* newBusiness, yield* newBusiness]
        const named = yield* newTrip(business, { external_ref: "T-1" })
        yield* assign(named, yield* newDriver(business))
        const trip = Option.getOrThrow(yield* (yield* TripRepository).find(business, named.trip_id))
        yield* newTrip(other, { external_ref: "T-1" })
        const deleted = yield* newTrip(business, { external_ref: "T-2", customer_name: "Gone" })
        yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
        const found = yield* matches.trips(business, ["T-1", "T-2", "T-3"])
        assert.deepStrictEqual([...found], [["T-1", trip]])
        const again = yield* newTrip(business)
        const { customer_name, pickup_address, trip_date } = trip
        const key = {
          customer_name: customer_name.toUpperCase(),
          pickup_address: pickup_address.toUpperCase(),
          trip_date
        }
        const keys = [{ ...key, customer_name: "Gone" }, key, { ...key, trip_date: at("00:00:01") }, key]
        assert.isTrue(again.trip_id > trip.trip_id)
        assert.deepStrictEqual(yield* matches.sameTrips(business, keys), [null, trip, null, trip])
      })
  )

  it.effect("a customer whose email another one has is left out, and the others are stored", () =>
    Effect.gen(function* () {
      const customers = yield* CustomerRepository
      const business = yield* newBusiness
      yield* customers.insert(business, customer({ name: "Ada", email: "ada@example.com" }), now)
      const stored = yield* customers.insertAll(
        business,
        [customer({ name: "Again", email: "ada@example.com" }), customer({ name: "Grace" })],
        now
      )
      assert.deepStrictEqual(
        stored.map(({ name }) => name),
        ["Grace"]
      )
    })
  )
})
