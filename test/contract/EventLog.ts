/** The contract of `EventLog`. */
import { EndpointRepository, EventHistory, EventLog, Transaction, WorkNotifier } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Duration, Effect, Fiber, Option } from "effect"
import { contract } from "./Contract.ts"
import { claimAll, emit, eventOf, newEndpoint, prepared } from "./Deliveries.ts"
import { newBusiness } from "./Given.ts"

export const eventLog = contract("a recorded event", (it) => {
  it.effect("has a delivery for each enabled endpoint of its business that subscribes to its type", () =>
    Effect.gen(function* () {
      const { business, endpoint } = yield* prepared
      const endpoints = yield* EndpointRepository
      const second = yield* newEndpoint(business, ["trip.updated", "trip.created"])
      yield* newEndpoint(business, ["trip.updated"])
      yield* newEndpoint(yield* newBusiness)
      const [disabled, removed] = [yield* newEndpoint(business), yield* newEndpoint(business)]
      yield* endpoints.update(business, disabled.endpoint_id, { ...disabled, status: "disabled" })
      yield* endpoints.remove(business, removed.endpoint_id)
      const { body, eventId } = yield* emit(business)
      yield* newEndpoint(business)
      const { claimed } = yield* claimAll
      assert.sameDeepMembers(
        claimed.map(({ body, endpointId, eventId }) => ({ body, endpointId, eventId })),
        [endpoint, second].map(({ endpoint_id }) => ({ body, endpointId: endpoint_id, eventId }))
      )
      assert.deepInclude(claimed[0], {
        businessId: business,
        eventType: "trip.created",
        url: "https://example.org/hook",
        sealedSecret: "sealed",
        retiredSecrets: [],
        attempt: 1
      })
    })
  )

  it.effect("has these deliveries also if it is recorded together with others", () =>
    Effect.gen(function* () {
      const { business, endpoint } = yield* prepared
      const log = yield* EventLog
      const transaction = yield* Transaction
      const second = yield* newEndpoint(business, ["trip.updated"])
      const events = [
        eventOf(business),
        eventOf(business, "trip.updated"),
        eventOf(business, "trip.completed")
      ]
      yield* transaction.run(log.recordAll(events))
      yield* log.recordAll([])
      const { claimed } = yield* claimAll
      assert.sameDeepMembers(
        claimed.map(({ body, endpointId, eventId, eventType }) => ({ body, endpointId, eventId, eventType })),
        [endpoint, second].flatMap(({ endpoint_id }, index) =>
          events.slice(index, index + 1).map(({ body, eventId, type }) => ({
            body,
            endpointId: endpoint_id,
            eventId,
            eventType: type
          }))
        )
      )
    })
  )

  it.effect("is gone with its deliveries if its transaction is rolled back", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const transaction = yield* Transaction
      const history = yield* EventHistory
      yield* Effect.flip(transaction.run(Effect.andThen(emit(business), Effect.fail("no"))))
      assert.deepStrictEqual((yield* claimAll).claimed, [])
      const page = Option.getOrThrow(yield* history.after(business, undefined, 10))
      assert.deepStrictEqual(page.bodies, [])
    })
  )

  it.effect("wakes the dispatcher after the commit, if it has a delivery, and not after a rollback", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const transaction = yield* Transaction
      const log = yield* EventLog
      const notifier = yield* WorkNotifier
      const notified = Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(notifier.wait("deliveries", Duration.infinity))
        yield* Effect.yieldNow
        yield* Effect.yieldNow
        const isNotified = waiting.pollUnsafe() !== undefined
        yield* Fiber.interrupt(waiting)
        return isNotified
      })
      yield* notified
      yield* transaction.run(
        Effect.gen(function* () {
          yield* log.record(eventOf(business))
          assert.isFalse(yield* notified)
        })
      )
      assert.isTrue(yield* notified)
      yield* Effect.flip(transaction.run(Effect.andThen(log.record(eventOf(business)), Effect.fail("no"))))
      assert.isFalse(yield* notified)
      yield* log.record(eventOf(business, "trip.updated"))
      assert.isFalse(yield* notified)
    })
  )
})
