import { assert, describe, it } from "@effect/vitest"
import { type BusinessId, Cryptography, type Currency, type TripId, TripInput, Trips } from "@livery/domain"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { decoded } from "../support/Decoding.ts"
import { tripPorts } from "../support/TripPorts.ts"
import { business } from "../support/People.ts"

const acme = business(1, { timezone: "Europe/Zurich", currency: "CHF" as Currency })
const zephyr = business(2)

const input = (change: object = {}) =>
  decoded(TripInput, {
    trip_date: "2026-11-20T09:30:00",
    pickup_address: "Bahnhofplatz 1",
    dropoff_address: "Flughafen",
    customer_name: "Zoë",
    ...change
  })

const trips = Effect.gen(function* () {
  const memory = tripPorts()
  const context = yield* Layer.build(
    Trips.layer.pipe(Layer.provide(Layer.merge(memory.layer, Cryptography.layerWebCrypto)))
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Trips>) => Effect.provide(effect, context)
  return {
    ...memory,
    create: (change?: object, acting = acme) => run(Trips.use((it) => it.create(acting, input(change)))),
    get: (id: number, acting = acme) => run(Trips.use((it) => it.get(acting, id as TripId)))
  }
})

describe("create", () => {
  it.effect("books a confirmed, unpaid trip on the business's clock and in its currency", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_790_000_000_000)
      const { create } = yield* trips
      const record = yield* create({ total_amount: 129.5, customer_email: "Z@b.ch" })
      assert.match(record.reference, /^TR-[0-9A-HJKMNP-TV-Z]{7}$/u)
      const expected: object = {
        trip_id: 1,
        status: "confirmed",
        driver_status: "unassigned",
        payment_status: "unpaid",
        allowed_transitions: ["completed", "cancelled"],
        trip_type: "transfer",
        trip_date: "2026-11-20T08:30:00Z",
        pickup_at: "2026-11-20 09:30:00",
        customer_name: "Zoë",
        customer_email: "z@b.ch",
        total_amount: 129.5,
        currency: "CHF",
        car_id: null,
        notes: null,
        created_at: "2026-09-21T14:13:20Z",
        updated_at: "2026-09-21T14:13:20Z"
      }
      assert.deepInclude<object>(record, expected)
    })
  )

  it.effect("keeps the price in minor units of the currency that was given", () =>
    Effect.gen(function* () {
      const { create, trips: stored } = yield* trips
      yield* create({ total_amount: 129.5 })
      yield* create({ total_amount: 1200, currency: "jpy" })
      yield* create({ total_amount: 1.005, currency: "KWD" })
      yield* create({})
      assert.deepStrictEqual<unknown>(
        stored().map(({ currency, total_minor }) => [total_minor, currency]),
        [
          [12_950, "CHF"],
          [1200, "JPY"],
          [1005, "KWD"],
          [null, "CHF"]
        ]
      )
    })
  )

  it.effect("sends trip.created with the returned record, in the trip's transaction", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_790_000_000_000)
      const { addCar, calls, create, events, transaction } = yield* trips
      addCar(1, 4)
      const { warnings, ...record } = yield* create({ car_id: 4, total_amount: 0.1 })
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(calls, ["car inside", "trip inside"])
      assert.strictEqual(transaction.committed, 1)
      const [event] = events
      assert.deepStrictEqual<unknown>([event?.businessId, event?.type, events.length], [1, "trip.created", 1])
      assert.strictEqual(
        event?.body,
        JSON.stringify({
          id: event?.eventId,
          type: "trip.created",
          created: 1_790_000_000,
          data: record,
          meta: { business_id: 1 }
        })
      )
    })
  )

  it.effect("names a price with too many decimals and a car that does not exist in one error", () =>
    Effect.gen(function* () {
      const { addCar, create, events, transaction, trips: stored } = yield* trips
      addCar(2, 4)
      const refusal = yield* Effect.flip(create({ total_amount: 129.555, car_id: 4 }))
      assert.deepStrictEqual(refusal._tag === "InvalidInput" && refusal.issues, [
        { field: "total_amount", issue: "invalid" },
        { field: "car_id", issue: "not_found" }
      ])
      assert.deepStrictEqual([stored().length, events.length, transaction.committed], [0, 0, 0])
      // Only the price is wrong, in another currency and in the business's own.
      const alone = yield* Effect.flip(create({ total_amount: 0.5, currency: "JPY" }))
      assert.deepStrictEqual(alone._tag === "InvalidInput" && alone.issues, [
        { field: "total_amount", issue: "invalid" }
      ])
      assert.strictEqual((yield* create({ total_amount: 0.5 })).total_amount, 0.5)
    })
  )

  it.effect("tries another reference when one is taken", () =>
    Effect.gen(function* () {
      const { create, events, given, references, trips: stored } = yield* trips
      given.taken = 3
      const record = yield* create()
      assert.strictEqual(new Set(references).size, 4)
      assert.strictEqual(record.reference, references[3])
      assert.deepStrictEqual([stored().length, events.length], [1, 1])
    })
  )

  it.effect("a time that the business's clock skips is the later instant, never an error", () =>
    Effect.gen(function* () {
      const { create } = yield* trips
      const record = yield* create({ trip_date: "2026-03-29 02:30:00" })
      assert.deepStrictEqual(
        [record.trip_date, record.pickup_at],
        ["2026-03-29T01:30:00Z", "2026-03-29 03:30:00"]
      )
    })
  )
})

describe("get", () => {
  it.effect("another business's trip is absent", () =>
    Effect.gen(function* () {
      const { create, get } = yield* trips
      const { warnings: _warnings, ...record } = yield* create()
      assert.deepStrictEqual(yield* get(1), record)
      const [foreign, absent] = [yield* Effect.flip(get(1, zephyr)), yield* Effect.flip(get(2))]
      assert.deepStrictEqual([foreign._tag, foreign.message], ["NotFound", absent.message])
    })
  )
})

it.effect("a trip belongs to the acting business, even if the input names another one", () =>
  Effect.gen(function* () {
    const { create, trips: stored } = yield* trips
    yield* create({ business_id: 2, status: "completed", reference: "TR-MINE" })
    assert.deepStrictEqual(
      stored().map(({ business_id, status }) => [business_id, status]),
      [[1 as BusinessId, "confirmed"]]
    )
  })
)
