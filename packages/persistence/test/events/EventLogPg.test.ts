import { EndpointId, EndpointRepository, WorkNotifier } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { alone, claim, disable, emit, newBusiness, newEndpoint } from "../webhooks/Scenario.ts"

const stored = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ events: number; deliveries: number }>`SELECT
    (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM webhook_deliveries) AS deliveries`
  return [row?.events, row?.deliveries]
})

/** Whether the notifier was notified since the last call. */
const rung = Effect.gen(function* () {
  const notifier = yield* WorkNotifier
  const waiting = yield* Effect.forkChild(notifier.wait("deliveries", Duration.infinity))
  yield* Effect.yieldNow
  yield* Effect.yieldNow
  const wasNotified = waiting.pollUnsafe() !== undefined
  yield* Fiber.interrupt(waiting)
  return wasNotified
})

it.live("an event makes one delivery for each enabled endpoint of its business that subscribes to it", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    const wanted = [
      yield* newEndpoint(business),
      yield* newEndpoint(business, ["invoice.paid", "trip.created"])
    ]
    yield* newEndpoint(business, ["trip.cancelled"])
    yield* disable((yield* newEndpoint(business)).endpoint_id)
    yield* newEndpoint(yield* newBusiness)
    yield* emit(business)
    assert.deepStrictEqual(yield* stored, [1, 2])
    assert.deepStrictEqual(
      (yield* claim()).map(({ endpointId }) => endpointId).sort((a, b) => a - b),
      wanted.map(({ endpoint_id }) => endpoint_id)
    )
  }).pipe(alone)
)

it.live("an endpoint that is made later gets no delivery of it", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    yield* emit(business)
    yield* newEndpoint(business)
    assert.deepStrictEqual(yield* stored, [1, 0])
  }).pipe(alone)
)

it.live("a rolled-back change leaves nothing, and wakes no worker", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const business = yield* newBusiness
    yield* newEndpoint(business)
    yield* Effect.ignore(sql.withTransaction(Effect.andThen(emit(business), Effect.fail("changed my mind"))))
    assert.deepStrictEqual(yield* stored, [0, 0])
    assert.isFalse(yield* rung)
  }).pipe(alone)
)

it.live("the dispatcher is woken after the commit, not before", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const business = yield* newBusiness
    yield* newEndpoint(business)
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* emit(business)
        assert.isFalse(yield* rung)
      })
    )
    assert.isTrue(yield* rung)
  }).pipe(alone)
)

it.live("an event without a subscriber wakes no worker", () =>
  Effect.gen(function* () {
    const business = yield* newBusiness
    yield* newEndpoint(business, ["invoice.paid"])
    yield* emit(business)
    assert.deepStrictEqual(yield* stored, [1, 0])
    assert.isFalse(yield* rung)
  }).pipe(alone)
)

it.live("an endpoint is found by its business only", () =>
  Effect.gen(function* () {
    const endpoints = yield* EndpointRepository
    const business = yield* newBusiness
    const endpoint = yield* newEndpoint(business, ["trip.created", "invoice.paid"])
    assert.deepStrictEqual(yield* endpoints.find(business, endpoint.endpoint_id), Option.some(endpoint))
    assert.isTrue(Option.isNone(yield* endpoints.find(yield* newBusiness, endpoint.endpoint_id)))
    assert.isTrue(Option.isNone(yield* endpoints.find(business, EndpointId.make(999_999))))
  }).pipe(alone)
)
