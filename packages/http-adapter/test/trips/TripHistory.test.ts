import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { dispatcher } from "../support/Dispatchers.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

layer(Ports)("a trip's timeline", (it) => {
  it.effect("records that the trip was linked to a customer by email, without an event", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, newEvents, send, token, userId } = yield* dispatcher(server)
      const emails = ["ada@example.com", "grace@example.com"]
      const trips = [yield* book({ customer_email: emails[0] }), yield* book({ customer_email: emails[1] })]
      const others = yield* send("GET", `/trips/${yield* book()}`)
      const before = yield* Effect.forEach(trips, (trip) => send("GET", `/trips/${trip}`))
      yield* newEvents
      yield* TestClock.adjust("5 seconds")
      const made = yield* server.send("POST", "/customers", {
        credential: token,
        body: { name: "Ada", email: emails[0] }
      })
      const customer_id = Number(record(made)["customer_id"])
      yield* TestClock.adjust("5 seconds")
      record(
        yield* server.send("PATCH", `/customers/${customer_id}`, {
          credential: token,
          body: { email: emails[1] }
        })
      )
      for (const [place, trip] of trips.entries()) {
        const after = yield* send("GET", `/trips/${trip}`)
        const at = `2026-11-20T09:30:${String(5 * (place + 1)).padStart(2, "0")}Z`
        const was = before[place]
        assert.isDefined(was)
        if (was === undefined) continue
        const moments =
          Date.parse(String(record(after)["updated_at"])) - Date.parse(String(record(was)["updated_at"]))
        assert.strictEqual(moments, 5000 * (place + 1), at)
        assert.deepStrictEqual(record(after), {
          ...record(was),
          customer_id,
          updated_at: record(after)["updated_at"]
        })
        const lines = records(yield* send("GET", `/trips/${trip}/timeline`))
        assert.lengthOf(lines, 2)
        const { change_id: _id, ...line } = lines[1] ?? {}
        assert.deepStrictEqual(line, {
          at: record(after)["updated_at"],
          actor: `user:${userId}`,
          actor_name: record(yield* server.send("GET", "/me", { credential: token }))["name"],
          change: "updated",
          driver_id: null,
          before: { customer_id: null },
          after: { customer_id }
        })
      }
      assert.deepStrictEqual(
        record(yield* send("GET", `/trips/${String(record(others)["trip_id"])}`)),
        record(others)
      )
      assert.deepStrictEqual(yield* newEvents, [])
    })
  )

  it.effect(
    "names the API key that made a change, masked as in the list of keys, and the person who created it",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key, book, send, token } = yield* dispatcher(server)
        const other = String(
          record(yield* server.send("POST", "/me/api-keys", { credential: token }))["api_key"]
        )
        const path = `/trips/${yield* book()}`
        record(yield* server.send("PATCH", path, { credential: other, body: { notes: "x" } }))
        const masked = (apiKey: string) => `api_key:${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`
        assert.deepStrictEqual(
          records(yield* send("GET", `${path}/timeline`)).map(({ actor }) => actor),
          [masked(key), masked(other)]
        )
        const { name } = record(yield* server.send("GET", "/me", { credential: token }))
        record(yield* server.send("PATCH", path, { credential: token, body: { notes: "y" } }))
        assert.deepStrictEqual(
          records(yield* send("GET", `${path}/timeline`)).map(({ actor_name }) => actor_name),
          [name, name, name]
        )
      })
  )
})

layer(Ports)("the response of a trip", (it) => {
  it.effect("can be sent back, and changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, newEvents, send } = yield* dispatcher(server)
      const path = `/trips/${yield* book({ notes: "VIP" })}`
      const read = yield* send("GET", path)
      yield* newEvents
      yield* TestClock.adjust("1 second")
      const changed = yield* send("PATCH", path, record(read))
      assert.strictEqual(changed.status, 200, changed.text)
      assert.strictEqual(changed.headers.get("etag"), read.headers.get("etag"))
      assert.deepStrictEqual(yield* newEvents, [])
    })
  )

  it.effect("keeps its status and its reason if they are null, and null alone is no change", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, send } = yield* dispatcher(server)
      const path = `/trips/${yield* book()}`
      assert.deepInclude(record(yield* send("PATCH", path, { status: null, notes: "x" })), {
        status: "confirmed",
        notes: "x"
      })
      record(yield* send("PATCH", path, { status: "cancelled", cancel_reason: null }))
      assert.deepInclude(record(yield* send("PATCH", path, { cancel_reason: null, notes: null })), {
        status: "cancelled",
        cancel_reason: "operator",
        notes: null
      })
      refusedAs(yield* send("PATCH", path, { status: null, cancel_reason: null }), 422, "invalid_request")
    })
  )
})

layer(Ports)("a copy of a trip", (it) => {
  const setUp = Effect.gen(function* () {
    const server = yield* openServer()
    const sql = yield* SqlClient.SqlClient
    const business = yield* dispatcher(server)
    const { book, send } = business
    const made = (path: string, body: object, id: string) =>
      Effect.map(send("POST", path, body), (answer) => Number(record(answer)[id]))
    const car_id = yield* made("/cars", { name: "Black" }, "car_id")
    const customer_id = yield* made("/customers", { name: "Ada" }, "customer_id")
    const trip = yield* book({ car_id, customer_id, customer_email: "ada@example.com" })
    record(yield* send("PATCH", `/trips/${trip}`, { status: "completed" }))
    const copy = (body?: object) => send("POST", `/trips/${trip}/duplicate`, body)
    return { ...business, sql, car_id, customer_id, trip, copy, made }
  })

  it.effect(
    "has no deleted car and no deleted customer; such a car or customer in the request is refused",
    () =>
      Effect.gen(function* () {
        const { car_id, copy, customer_id, send } = yield* setUp
        assert.deepInclude(record(yield* copy()), { car_id, customer_id })
        record(yield* send("DELETE", `/cars/${car_id}`, { force: true }))
        assert.deepInclude(record(yield* copy()), { car_id: null, customer_id })
        record(yield* send("DELETE", `/customers/${customer_id}`, { force: true }))
        for (const body of [undefined, {}, { notes: "x" }])
          assert.deepInclude(record(yield* copy(body)), {
            car_id: null,
            customer_id: null,
            customer_name: "Ada",
            customer_email: "ada@example.com"
          })
        assert.deepStrictEqual(refusedAs(yield* copy({ car_id, customer_id }), 422, "invalid_request"), [
          { field: "car_id", issue: "not_found" },
          { field: "customer_id", issue: "not_found" }
        ])
        assert.deepStrictEqual(refusedAs(yield* copy({ customer_id }), 422, "invalid_request"), [
          { field: "customer_id", issue: "not_found" }
        ])
      })
  )

  it.effect("has no inactive car", () =>
    Effect.gen(function* () {
      const { car_id, copy, customer_id, send } = yield* setUp
      record(yield* send("PATCH", `/cars/${car_id}`, { active: false }))
      assert.deepInclude(record(yield* copy()), { car_id: null, customer_id })
    })
  )

  it.effect("belongs to the customer who has its email now, if its own customer was deleted", () =>
    Effect.gen(function* () {
      const { copy, customer_id, made, send } = yield* setUp
      record(yield* send("DELETE", `/customers/${customer_id}`, { force: true }))
      const heir = yield* made("/customers", { name: "Ada", email: "ada@example.com" }, "customer_id")
      assert.deepInclude(record(yield* copy()), { customer_id: heir })
    })
  )
})
