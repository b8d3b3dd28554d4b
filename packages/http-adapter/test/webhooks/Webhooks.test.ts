import { DeliveryQueue, EventType } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import {
  bookedRecord,
  openServer,
  record,
  records,
  refusedAs,
  type TestServer
} from "../support/TestServer.ts"

const subscribe = (server: TestServer, credential: string, body: object = {}) =>
  server.send("POST", "/webhooks", {
    credential,
    body: { url: "https://receiver.example.com/hook", events: ["trip.created"], ...body }
  })

const book = (server: TestServer, credential: string) =>
  server.send("POST", "/trips", {
    credential,
    body: {
      trip_date: "2026-12-24T18:00:00Z",
      pickup_address: "Here",
      dropoff_address: "There",
      customer_name: "Ada"
    }
  })

const endpoints = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT * FROM webhook_endpoints`
})

layer(Ports)("POST /webhooks", (it) => {
  it.effect("subscribes an endpoint; its secret is in that answer, and sealed in the database", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const answer = yield* subscribe(server, key, {
        url: " https://receiver.example.com:8443/hook?x=1 ",
        events: ["trip.created", "invoice.paid", "trip.created"]
      })
      assert.strictEqual(answer.status, 201)
      const { created_at, endpoint_id, secret, updated_at, ...rest } = record(answer)
      assert.deepStrictEqual(rest, {
        url: "https://receiver.example.com:8443/hook?x=1",
        events: ["trip.created", "invoice.paid"],
        status: "enabled",
        allowed_transitions: ["disabled"]
      })
      assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u)
      assert.strictEqual(updated_at, created_at)
      assert.match(String(secret), /^whsec_[\w-]{43}$/u)
      const stored = (yield* endpoints).find((row) => row["endpoint_id"] === endpoint_id)
      assert.strictEqual(stored?.["business_id"], businessId)
      assert.notInclude(JSON.stringify(stored), String(secret).slice("whsec_".length))
      const deliveries = yield* server.send("GET", `/webhooks/${String(endpoint_id)}/deliveries`, {
        credential: key
      })
      assert.notInclude(deliveries.text, String(secret))
    })
  )

  it.effect("accepts every event type", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const { events } = record(yield* subscribe(server, key, { events: EventType.literals }))
      assert.deepStrictEqual(events, EventType.literals)
    })
  )

  it.effect("refuses addresses that are not on the public internet, and stores none", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const before = (yield* endpoints).length
      for (const url of [
        "http://receiver.example.com/hook",
        "ftp://receiver.example.com",
        "https://user:password@receiver.example.com/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://0x7f000001/",
        "https://10.1.2.3/",
        "https://192.168.1.1:8443/",
        "https://169.254.169.254/latest/meta-data/",
        "https://168.63.129.16/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://[fd00::1]/",
        "https://db.internal/",
        "https://",
        "https://receiver.example.com/hook#part",
        "https://receiver.example.com/#",
        "not a url"
      ])
        assert.deepStrictEqual(
          refusedAs(yield* subscribe(server, key, { url }), 422, "invalid_request"),
          [{ field: "url", issue: "invalid" }],
          url
        )
      assert.lengthOf(yield* endpoints, before)
    })
  )

  it.effect("names an unknown event by its index, and a missing field by its name", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      for (const [body, details] of [
        [{ events: ["trip.vanished"] }, [{ field: "events.0", issue: "unknown_value" }]],
        [
          { events: ["trip.created", "x", "trip.updated", 7] },
          [
            { field: "events.1", issue: "unknown_value" },
            { field: "events.3", issue: "invalid" }
          ]
        ],
        [{ events: [] }, [{ field: "events", issue: "required" }]],
        [{ events: "trip.created" }, [{ field: "events", issue: "invalid" }]],
        [
          { events: undefined, url: undefined },
          [
            { field: "url", issue: "required" },
            { field: "events", issue: "required" }
          ]
        ]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* subscribe(server, key, body), 422, "invalid_request"),
          details
        )
    })
  )
})

layer(Ports)("GET /webhooks/{id}/deliveries", (it) => {
  const deliveries = (server: TestServer, credential: string, id: unknown, query = "") =>
    server.send("GET", `/webhooks/${String(id)}/deliveries${query}`, { credential })

  it.effect("shows each delivery of the endpoint, newest first, with its attempts", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const queue = yield* DeliveryQueue
      const { key } = yield* business(server)
      yield* book(server, key)
      const { endpoint_id } = record(yield* subscribe(server, key))
      const trips = [yield* book(server, key), yield* book(server, key)]
      // It gets no event of the trip that was booked before the endpoint was made.
      const waiting = records(yield* deliveries(server, key, endpoint_id))
      assert.lengthOf(waiting, trips.length)
      for (const delivery of waiting)
        assert.deepInclude(delivery, {
          event_type: "trip.created",
          status: "pending",
          allowed_transitions: [],
          attempt: 0,
          last_error: null,
          response_status: null,
          attempts: []
        })
      const { claimed: claims } = yield* queue.claim({ limit: 10, perEndpoint: 10 })
      assert.deepStrictEqual(
        claims.map(({ body }) => JSON.parse(body).data).sort((one, other) => one.trip_id - other.trip_id),
        trips.map(bookedRecord)
      )
      yield* queue.record(
        claims.map((delivery, index) => ({
          delivery,
          startedAt: DateTime.makeUnsafe("2026-11-20T09:30:00Z"),
          durationMs: 12,
          acknowledged: index === 0,
          responseStatus: index === 0 ? 204 : 500,
          error: index === 0 ? null : "http 500",
          retryIn: index === 0 ? null : 60
        }))
      )
      const reported = records(yield* deliveries(server, key, endpoint_id))
      assert.deepStrictEqual(
        reported.map(({ delivery_id }) => delivery_id),
        waiting.map(({ delivery_id }) => delivery_id)
      )
      assert.isAbove(Number(reported[0]?.["delivery_id"]), Number(reported[1]?.["delivery_id"]))
      const [delivered, retried] = claims.map(({ deliveryId }) =>
        reported.find(({ delivery_id }) => delivery_id === deliveryId)
      )
      const attempt = { attempt: 1, started_at: "2026-11-20T09:30:00Z", duration_ms: 12 }
      assert.deepInclude(delivered, {
        status: "delivered",
        attempt: 1,
        next_attempt_at: null,
        last_error: null,
        response_status: 204,
        attempts: [{ ...attempt, response_status: 204, error: null }]
      })
      assert.deepInclude(retried, {
        status: "pending",
        attempt: 1,
        last_error: "http 500",
        response_status: 500,
        attempts: [{ ...attempt, response_status: 500, error: "http 500" }]
      })
      assert.match(String(retried?.["next_attempt_at"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u)
    })
  )

  it.effect("comes in pages of 25, or of `per_page` up to 100", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const { endpoint_id } = record(yield* subscribe(server, key))
      yield* Effect.forEach(Array.from({ length: 27 }), () => book(server, key), { concurrency: 8 })
      const seen: Array<unknown> = []
      for (const [query, count, more] of [
        ["", 25, true],
        ["?page=2", 2, false],
        ["?page=3", 0, false],
        ["?per_page=10&page=2", 10, true],
        ["?per_page=100", 27, false]
      ] as const) {
        const answer = yield* deliveries(server, key, endpoint_id, query)
        assert.lengthOf(records(answer), count)
        assert.deepInclude(answer.body.meta?.pagination, { total: 27, count, has_more: more })
        if (!query.includes("per")) seen.push(...records(answer).map(({ delivery_id }) => delivery_id))
      }
      assert.strictEqual(new Set(seen).size, 27)
      for (const query of ["?per_page=0", "?per_page=101"])
        assert.deepStrictEqual(
          refusedAs(yield* deliveries(server, key, endpoint_id, query), 422, "invalid_request"),
          [{ field: "per_page", issue: "out_of_range" }]
        )
    })
  )

  it.effect("another business's endpoint, an absent one and a malformed id get the same response", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const other = yield* business(server)
      const { endpoint_id } = record(yield* subscribe(server, other.key))
      const foreign = yield* deliveries(server, key, endpoint_id)
      refusedAs(foreign, 404, "not_found")
      assert.deepStrictEqual((yield* deliveries(server, key, 999_999)).body.error, foreign.body.error)
      refusedAs(yield* deliveries(server, key, "x"), 404, "not_found")
    })
  )

  it.effect("a business's trip is delivered to its own endpoints alone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const one = yield* business(server)
      const other = yield* business(server)
      const mine = record(yield* subscribe(server, one.key))
      const theirs = record(yield* subscribe(server, other.key))
      yield* book(server, one.key)
      assert.lengthOf(records(yield* deliveries(server, one.key, mine["endpoint_id"])), 1)
      assert.lengthOf(records(yield* deliveries(server, other.key, theirs["endpoint_id"])), 0)
    })
  )
})
