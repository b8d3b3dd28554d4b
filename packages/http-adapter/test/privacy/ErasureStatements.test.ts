import {
  type BusinessId,
  BusinessRepository,
  type CustomerId,
  Erasures,
  type ErasureRecord,
  EventLog,
  RateCounters,
  UseCases
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { newBusiness, newCustomer } from "../../../../test/contract/Given.ts"
import { Ports } from "../support/TestPorts.ts"

const TestErasures = UseCases.pipe(Layer.provide(RateCounters.layerMemory), Layer.provideMerge(Ports))

const email = "ada@lovelace.example"

/** Adds trips of a customer, each with an entry in its timeline, an event and the stored response of its booking. */
const addTrips = Effect.fnUntraced(function* (business: BusinessId, customer: CustomerId, count: number) {
  const sql = yield* SqlClient.SqlClient
  const log = yield* EventLog
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_id, customer_name, customer_email, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || n, 'completed', 'unpaid', 'transfer', now(), 'a', 'b', ${customer}, 'Ada', ${email},
      'USD', now(), now()
    FROM generate_series(1, ${count}::int) n`
  yield* sql`
    INSERT INTO trip_changes (business_id, trip_id, at, actor, change, after)
    SELECT business_id, trip_id, now(), 'system', 'created', ${JSON.stringify({ contact: email })}::jsonb
    FROM trips WHERE business_id = ${business}`
  yield* log.recordAll(
    Array.from({ length: count }, (_, index) => ({
      eventId: `evt_${business}_${index}`,
      businessId: business,
      type: "trip.created",
      body: JSON.stringify({ data: { customer_id: customer, customer_name: "Ada", customer_email: email } })
    }))
  )
})

/** Erases a new customer with that many trips. Returns the counts of the erasure and the number of its statements. */
const erased = Effect.fnUntraced(function* (count: number) {
  const erasures = yield* Erasures
  const businesses = yield* BusinessRepository
  const business = yield* newBusiness
  const customer = yield* newCustomer(business, { name: "Ada", email })
  yield* addTrips(business, customer, count)
  const acting = Option.getOrThrow(yield* businesses.find(business))
  let statements = 0
  const record: ErasureRecord = yield* Effect.provideService(
    erasures.customer(acting, customer, { force: true, reason: null }),
    Statement.CurrentTransformer,
    (statement) =>
      Effect.sync(() => {
        statements += 1
        return statement
      })
  )
  return { record, statements }
})

layer(TestErasures, { timeout: 60_000 })("an erasure", (it) => {
  it.effect("takes the same number of statements for each batch of trips and of their copies", () =>
    Effect.gen(function* () {
      const one = yield* erased(1)
      const many = yield* erased(99)
      assert.deepInclude(one.record, { trips: 1, changes: 1, events: 1 })
      assert.deepInclude(many.record, { trips: 99, changes: 99, events: 99 })
      assert.strictEqual(many.statements, one.statements)
    })
  )
})
