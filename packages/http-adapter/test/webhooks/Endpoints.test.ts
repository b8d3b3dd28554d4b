import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { book, claims, onlyClaim, settle, subscriber } from "../support/Webhooks.ts"
import { Ports } from "../support/TestPorts.ts"
import { business, setStatus } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

layer(Ports)("webhook endpoints", (it) => {
  it.effect("are listed the oldest first, and read one by one, without their secrets", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { id, path, secret, send, subscribe } = yield* subscriber(server)
      const second = record(yield* subscribe)
      const answer = yield* send("GET", "/webhooks")
      const listed = records(answer)
      assert.deepStrictEqual(
        listed.map(({ endpoint_id }) => endpoint_id),
        [id, second["endpoint_id"]]
      )
      assert.deepInclude(answer.body.meta?.pagination, { count: 2, total: 2, has_more: false })
      const one = yield* send("GET", path)
      assert.deepStrictEqual(record(one), listed[0])
      assert.deepStrictEqual(Object.keys(record(one)).sort(), [
        "allowed_transitions",
        "created_at",
        "endpoint_id",
        "events",
        "status",
        "updated_at",
        "url"
      ])
      assert.notInclude(answer.text + one.text, secret)
      assert.lengthOf(records(yield* send("GET", "/webhooks?per_page=1&page=2")), 1)
      refusedAs(yield* send("GET", "/webhooks?per_page=101"), 422, "invalid_request")
    })
  )

  it.effect("change in the given fields and no other", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      const before = record(yield* send("GET", path))
      const changed = record(
        yield* send("PATCH", path, { events: ["invoice.paid", "payment.failed"], secret: "mine" })
      )
      assert.deepInclude(changed, { url: before["url"], events: ["invoice.paid", "payment.failed"] })
      const moved = record(yield* send("PATCH", path, { url: "https://other.example.com/x" }))
      assert.deepInclude(moved, { url: "https://other.example.com/x", events: changed["events"] })
      assert.deepStrictEqual(record(yield* send("GET", path)), moved)
    })
  )

  it.effect("a change without a known field, and a wrong one, is 422 and changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      const before = record(yield* send("GET", path))
      for (const [body, details] of [
        [{}, undefined],
        [{ secret: "mine" }, undefined],
        [{ url: "https://10.0.0.1/" }, [{ field: "url", issue: "invalid" }]],
        [{ url: "https://a.example/\r\nhook" }, [{ field: "url", issue: "invalid" }]],
        [{ url: "https:a.example" }, [{ field: "url", issue: "invalid" }]],
        [{ url: "https:///a.example" }, [{ field: "url", issue: "invalid" }]],
        [{ url: "https:\\\\a.example" }, [{ field: "url", issue: "invalid" }]],
        [{ url: null }, [{ field: "url", issue: "required" }]],
        [{ status: "paused" }, [{ field: "status", issue: "unknown_value" }]],
        [{ events: [] }, [{ field: "events", issue: "required" }]]
      ] as const)
        assert.deepStrictEqual<unknown>(
          refusedAs(yield* send("PATCH", path, body), 422, "invalid_request"),
          details,
          JSON.stringify(body)
        )
      assert.deepStrictEqual(record(yield* send("GET", path)), before)
    })
  )

  it.effect("a `status` of null requests no change, as for a trip", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      const changed = record(yield* send("PATCH", path, { status: null, events: ["invoice.paid"] }))
      assert.deepInclude(changed, { status: "enabled", events: ["invoice.paid"] })
      refusedAs(yield* send("PATCH", path, { status: null }), 422, "invalid_request")
      record(yield* send("PATCH", path, { status: "disabled" }))
      assert.deepInclude(record(yield* send("PATCH", path, { status: null, events: ["trip.created"] })), {
        status: "disabled",
        events: ["trip.created"]
      })
    })
  )

  it.effect("types of events are trimmed, and null is a missing one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      assert.deepInclude(record(yield* send("PATCH", path, { events: [" trip.created "] })), {
        events: ["trip.created"]
      })
      assert.deepInclude(record(yield* send("POST", `${path}/test`, { event_type: " trip.created " })), {
        event_type: "trip.created"
      })
      assert.deepStrictEqual<unknown>(
        refusedAs(yield* send("PATCH", path, { events: [null] }), 422, "invalid_request"),
        [{ field: "events.0", issue: "required" }]
      )
      for (const body of [{}, { event_type: null }])
        assert.deepStrictEqual<unknown>(
          refusedAs(yield* send("POST", `${path}/test`, body), 422, "invalid_request"),
          [{ field: "event_type", issue: "required" }]
        )
      // Other tests claim deliveries; the sample is none of theirs.
      record(yield* send("DELETE", path))
    })
  )

  it.effect("name every field with a wrong form in one response, and say which addresses are accepted", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      const events = ["trip.created", "trip.exploded"]
      for (const url of [
        "ftp://receiver.example.com/hook",
        "https://ada:secret@receiver.example.com/hook",
        "https://receiver.example.com/hook#part",
        "receiver.example.com/hook"
      ])
        for (const answer of [
          yield* send("POST", "/webhooks", { url, events }),
          yield* send("PATCH", path, { url, events })
        ]) {
          assert.deepStrictEqual<unknown>(
            refusedAs(answer, 422, "invalid_request"),
            [
              { field: "url", issue: "invalid" },
              { field: "events.1", issue: "unknown_value" }
            ],
            url
          )
          assert.include(answer.body.error?.message, "without a user name, a password and a fragment")
        }
    })
  )

  it.effect(
    "disabled, its pending deliveries fail and none is claimed; enabled again, they stay failed and new events are sent",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { deliveries, key, path, send } = yield* subscriber(server)
        yield* book(server, key)
        assert.deepInclude(record(yield* send("PATCH", path, { status: "disabled" })), { status: "disabled" })
        yield* book(server, key)
        assert.isEmpty(yield* claims)
        record(yield* send("PATCH", path, { status: "enabled" }))
        yield* book(server, key)
        const [fresh, old] = yield* deliveries
        assert.deepInclude(fresh, { status: "pending" })
        assert.deepInclude(old, { status: "failed", last_error: "endpoint disabled", next_attempt_at: null })
        assert.lengthOf(yield* deliveries, 2)
        yield* settle([yield* onlyClaim], true)
      })
  )

  it.effect("deleted, it is 404, also for its deliveries, and no longer counts towards the limit", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, path, send } = yield* subscriber(server)
      yield* book(server, key)
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      for (const [method, at, body] of [
        ["GET", path, undefined],
        ["PATCH", path, { status: "enabled" }],
        ["DELETE", path, undefined],
        ["POST", `${path}/rotate-secret`, undefined],
        ["POST", `${path}/test`, { event_type: "trip.created" }],
        ["GET", `${path}/deliveries`, undefined]
      ] as const)
        refusedAs(yield* send(method, at, body), 404, "not_found")
      assert.isEmpty(records(yield* send("GET", "/webhooks")))
      assert.isEmpty(yield* claims)
    })
  )

  it.effect("a business has at most 50; the next is a conflict", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send, subscribe } = yield* subscriber(server)
      yield* Effect.replicateEffect(subscribe, 49, { concurrency: 8, discard: true })
      refusedAs(yield* subscribe, 409, "conflict")
      record(yield* send("DELETE", path))
      assert.strictEqual((yield* subscribe).status, 201)
    })
  )

  it.effect(
    "another business's, an absent one and a malformed id get the same response, and nothing is written",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const other = yield* subscriber(server)
        const { key } = yield* business(server)
        const sql = yield* SqlClient.SqlClient
        const rows = sql`SELECT * FROM webhook_endpoints WHERE endpoint_id = ${other.id}`
        const before = yield* rows
        for (const [method, tail, body] of [
          ["GET", "", undefined],
          ["PATCH", "", { status: "disabled" }],
          ["DELETE", "", undefined],
          ["POST", "/rotate-secret", undefined],
          ["POST", "/test", { event_type: "trip.created" }],
          ["GET", "/deliveries", undefined],
          ["POST", "/deliveries/1/retry", undefined]
        ] as const) {
          const ask = { credential: key, ...(body === undefined ? {} : { body }) }
          const foreign = yield* server.send(method, `/webhooks/${other.id}${tail}`, ask)
          refusedAs(foreign, 404, "not_found")
          for (const id of ["999999", "x"]) {
            const answer = yield* server.send(method, `/webhooks/${id}${tail}`, ask)
            assert.strictEqual(answer.body.error?.type, foreign.body.error?.type)
          }
        }
        assert.deepStrictEqual(yield* rows, before)
        assert.isEmpty(yield* claims)
      })
  )

  it.effect("a suspended business's deliveries continue", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key, path, send } = yield* subscriber(server)
      yield* book(server, key)
      yield* setStatus(businessId, "D")
      refusedAs(yield* send("GET", path), 403, "account_suspended")
      const delivery = yield* onlyClaim
      assert.deepStrictEqual(yield* settle([delivery], true), ["delivered"])
    })
  )
})

layer(Ports)("POST /webhooks/{id}/rotate-secret", (it) => {
  it.effect("shows a new secret once; the old one signs beside it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, path, secret, send } = yield* subscriber(server)
      const answer = yield* send("POST", `${path}/rotate-secret`)
      const fresh = String(record(answer)["secret"])
      assert.strictEqual(answer.status, 200)
      assert.match(fresh, /^whsec_[\w-]{43}$/u)
      assert.notStrictEqual(fresh, secret)
      assert.notInclude((yield* send("GET", path)).text, "whsec_")
      yield* book(server, key)
      const delivery = yield* onlyClaim
      assert.lengthOf(delivery.retiredSecrets, 1)
      yield* settle([delivery], true)
    })
  )
})
