import { EmittedEventType } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { book, claims, onlyClaim, settle, subscriber } from "../support/Webhooks.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

layer(Ports)("POST /webhooks/{id}/test", (it) => {
  it.effect("sends a sample of each type to this endpoint only, marked as a test, and records no event", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, deliveries, path, send, subscribe } = yield* subscriber(server, ["invoice.paid"])
      yield* subscribe
      for (const event_type of EmittedEventType.literals) {
        const answer = yield* send("POST", `${path}/test`, { event_type })
        assert.strictEqual(answer.status, 201)
        const delivery = yield* onlyClaim
        assert.deepInclude(record(answer), {
          delivery_id: delivery.deliveryId,
          event_id: delivery.eventId,
          event_type,
          status: "pending"
        })
        const body = JSON.parse(delivery.body) as Record<string, unknown>
        assert.deepInclude(body, { type: event_type, meta: { business_id: businessId, test: true } })
        yield* settle([delivery], true)
      }
      assert.lengthOf(yield* deliveries, EmittedEventType.literals.length)
      assert.isEmpty(records(yield* send("GET", "/events")))
    })
  )

  it.effect("has no sample of an event type that is never sent, and sends none to a disabled endpoint", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      for (const event_type of ["payment.failed", "trip.vanished"])
        assert.deepStrictEqual<unknown>(
          refusedAs(yield* send("POST", `${path}/test`, { event_type }), 422, "invalid_request"),
          [{ field: "event_type", issue: "unknown_value" }]
        )
      assert.deepStrictEqual<unknown>(
        refusedAs(yield* send("POST", `${path}/test`, {}), 422, "invalid_request"),
        [{ field: "event_type", issue: "required" }]
      )
      record(yield* send("PATCH", path, { status: "disabled" }))
      refusedAs(yield* send("POST", `${path}/test`, { event_type: "trip.created" }), 409, "conflict")
      assert.isEmpty(yield* claims)
    })
  )
})

layer(Ports)("POST /webhooks/{id}/deliveries/{delivery_id}/retry", (it) => {
  it.effect(
    "sends a failed delivery's event again, as a new delivery; a delivery that has not failed is a conflict",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { deliveries, key, path, send, subscribe } = yield* subscriber(server)
        const retry = (id: unknown, at = path) => send("POST", `${at}/deliveries/${String(id)}/retry`)
        yield* book(server, key)
        const failed = yield* onlyClaim
        refusedAs(yield* retry(failed.deliveryId), 409, "conflict")
        yield* settle([failed], false)
        const answer = yield* retry(failed.deliveryId)
        assert.strictEqual(answer.status, 201)
        const again = yield* onlyClaim
        assert.deepStrictEqual([again.eventId, again.body, again.attempt], [failed.eventId, failed.body, 1])
        assert.deepInclude(record(answer), {
          delivery_id: again.deliveryId,
          event_id: failed.eventId,
          allowed_transitions: [],
          attempt: 0
        })
        yield* settle([again], true)
        assert.deepStrictEqual(
          (yield* deliveries).map(({ status }) => status),
          ["delivered", "failed"]
        )
        refusedAs(yield* retry(again.deliveryId), 409, "conflict")
        const second = record(yield* subscribe)
        const elsewhere = `/webhooks/${String(second["endpoint_id"])}`
        refusedAs(yield* retry(failed.deliveryId, elsewhere), 404, "not_found")
        for (const absent of [999_999, "x"]) refusedAs(yield* retry(absent), 404, "not_found")
        record(yield* send("PATCH", path, { status: "disabled" }))
        refusedAs(yield* retry(failed.deliveryId), 409, "conflict")
        assert.isEmpty(yield* claims)
      })
  )

  it.effect("of a dropped event is a conflict with that reason", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const { key, path, send } = yield* subscriber(server)
      yield* book(server, key)
      const failed = yield* onlyClaim
      yield* settle([failed], false)
      yield* sql`DELETE FROM event_history WHERE event_id = ${failed.eventId}`
      const refused = yield* send("POST", `${path}/deliveries/${failed.deliveryId}/retry`)
      refusedAs(refused, 409, "conflict")
      assert.include(JSON.stringify(refused.body), "its retention period is over")
      assert.isEmpty(yield* claims)
    })
  )

  it.effect("the list can be filtered by status, with totals of its own", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, path, send } = yield* subscriber(server)
      yield* Effect.replicateEffect(book(server, key), 6)
      const held = yield* claims
      yield* settle(held.slice(0, 3), false)
      yield* settle(held.slice(3, 5), true)
      for (const [status, total] of [
        ["failed", 3],
        ["delivered", 2],
        ["pending", 1]
      ] as const) {
        const answer = yield* send("GET", `${path}/deliveries?status=${status}&per_page=2`)
        assert.deepInclude(answer.body.meta?.pagination, { total, has_more: total > 2 })
        for (const delivery of records(answer))
          assert.deepInclude(delivery, { status, allowed_transitions: [] })
      }
      refusedAs(yield* send("GET", `${path}/deliveries?status=lost`), 422, "invalid_request")
      yield* settle(held.slice(5), true)
    })
  )
})
