import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, records, refusedAs } from "../support/TestServer.ts"

const customer = (name: unknown, email: string | null = null) => ({ name, email })

const trip = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

interface BulkAnswer {
  readonly status: number
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: { readonly type: string; readonly details?: unknown }
}

layer(Ports)("many records in one request", (it) => {
  const client = Effect.gen(function* () {
    const { send } = yield* company(yield* openServer())
    const many = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
      Effect.map(send("POST", path, body, headers), (answer) => {
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        return records(answer) as unknown as ReadonlyArray<BulkAnswer>
      })
    const count = (path: string) => Effect.map(send("GET", path), (answer) => records(answer).length)
    return { count, many, send }
  })

  it.effect("have one result each in the order of the items, in the forms of the single route", () =>
    Effect.gen(function* () {
      const { count, many } = yield* client
      const results = yield* many("/customers/bulk", [
        customer("Ada", "ada@example.com"),
        customer("", "no address"),
        customer("Again", "ada@example.com"),
        customer("Grace")
      ])
      assert.deepStrictEqual(
        results.map(({ status }) => status),
        [201, 422, 409, 201]
      )
      assert.strictEqual(results[0]?.data?.["name"], "Ada")
      assert.deepInclude(results[1]?.error, {
        type: "invalid_request",
        details: [
          { field: "name", issue: "required" },
          { field: "email", issue: "invalid" }
        ]
      })
      assert.strictEqual(results[2]?.error?.type, "email_exists")
      assert.strictEqual(yield* count("/customers"), 2)
    })
  )

  it.effect("are all stored or none with all_or_nothing", () =>
    Effect.gen(function* () {
      const { count, many } = yield* client
      const items = [
        customer("Ada", "ada@example.com"),
        customer("Again", "ada@example.com"),
        customer("Grace")
      ]
      const refused = yield* many("/customers/bulk", { items, all_or_nothing: true })
      assert.deepStrictEqual(
        refused.map(({ error, status }) => [status, error?.type]),
        [
          [409, "conflict"],
          [409, "email_exists"],
          [409, "conflict"]
        ]
      )
      assert.strictEqual(yield* count("/customers"), 0)
      const made = yield* many("/customers/bulk", { items: [items[0], items[2]], all_or_nothing: true })
      assert.deepStrictEqual(
        made.map(({ status }) => status),
        [201, 201]
      )
      assert.strictEqual(yield* count("/customers"), 2)
    })
  )

  it.effect("are made once under an Idempotency-Key, also where one is refused", () =>
    Effect.gen(function* () {
      const { count, many } = yield* client
      const body = [{ name: "One" }, { name: "" }, { name: "Two" }]
      for (const path of ["/cars", "/drivers"]) {
        const headers = { "idempotency-key": path.slice(1) }
        const first = yield* many(`${path}/bulk`, body, headers)
        assert.deepStrictEqual(yield* many(`${path}/bulk`, body, headers), first)
        assert.deepStrictEqual(
          first.map(({ status }) => status),
          [201, 422, 201]
        )
        assert.strictEqual(yield* count(path), 2)
      }
    })
  )

  it.effect("may be 500 trips, and no more", () =>
    Effect.gen(function* () {
      const { many, send } = yield* client
      const trips = Array.from({ length: 500 }, () => trip)
      const made = yield* many("/trips/bulk", trips)
      assert.isTrue(made.every(({ status }) => status === 201))
      refusedAs(yield* send("POST", "/trips/bulk", [...trips, trip]), 422, "invalid_request")
      refusedAs(yield* send("POST", "/trips/bulk", []), 422, "invalid_request")
      refusedAs(yield* send("POST", "/trips/bulk", { items: "none" }), 422, "invalid_request")
      const all = yield* send("GET", "/trips")
      assert.deepInclude(all.body.meta?.pagination, { total: 500 })
    })
  )

  it.effect("drivers with a paid seat cannot be stored all or none", () =>
    Effect.gen(function* () {
      const { count, many } = yield* client
      const items = [{ name: "Dan" }, { name: "Joan", confirm_seat: true }]
      const results = yield* many("/drivers/bulk", { items, all_or_nothing: true })
      assert.deepInclude(results[1]?.error, { details: [{ field: "confirm_seat", issue: "invalid" }] })
      assert.strictEqual(yield* count("/drivers"), 0)
    })
  )
})
