import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { book, claims, settle, subscriber } from "../support/Webhooks.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { bookedRecord, openServer, records, refusedAs } from "../support/TestServer.ts"

layer(Ports)("GET /events", (it) => {
  it.effect(
    "returns the business's events in order, with the sent bodies, and continues from its cursor",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key, send } = yield* subscriber(server)
        const other = yield* business(server)
        yield* book(server, other.key)
        const trips = yield* Effect.replicateEffect(Effect.map(book(server, key), bookedRecord), 5)
        const sent = (yield* claims).map(({ body }) => body)
        const seen: Array<unknown> = []
        let after = ""
        for (const [count, more] of [
          [2, true],
          [2, true],
          [1, false],
          [0, false]
        ] as const) {
          const answer = yield* send("GET", `/events?limit=2${after}`)
          assert.deepInclude(answer.body.meta?.pagination, { count, has_more: more })
          seen.push(...records(answer))
          after = `&after=${encodeURIComponent(String(answer.body.meta?.pagination?.["next_after"]))}`
        }
        assert.deepStrictEqual(
          seen.map((event) => (event as { readonly data: unknown }).data),
          trips
        )
        assert.sameMembers(
          seen.map((event) => JSON.stringify(event)),
          sent
        )
        yield* book(server, key)
        assert.lengthOf(records(yield* send("GET", `/events?limit=2${after}`)), 1)
        yield* settle(yield* claims, true)
      })
  )

  it.effect("with `after=latest` starts after the present events", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const get = (after: string) => server.send("GET", `/events?after=${after}`, { credential: key })
      yield* Effect.replicateEffect(book(server, key), 3)
      const latest = yield* get("latest")
      assert.isEmpty(records(latest))
      assert.deepInclude(latest.body.meta?.pagination, { count: 0, has_more: false })
      const next = encodeURIComponent(String(latest.body.meta?.pagination?.["next_after"]))
      assert.isEmpty(records(yield* get(next)))
      yield* book(server, key)
      assert.lengthOf(records(yield* get(next)), 1)
    })
  )

  it.effect("refuses a cursor after which events were dropped, and names the oldest that is retained", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(server)
      const get = (after: string) => server.send("GET", `/events${after}`, { credential: key })
      const next = (answer: Effect.Success<ReturnType<typeof get>>) =>
        String(answer.body.meta?.pagination?.["next_after"])
      const start = next(yield* get("?after=latest"))
      yield* Effect.replicateEffect(book(server, key), 3)
      const [, second] = records(yield* get(""))
      const oldest = String(Object(second)["id"])
      const dropped = next(yield* get("?limit=1"))
      yield* sql`DELETE FROM events WHERE business_id = ${businessId} AND position = 1`
      yield* sql`INSERT INTO event_feeds (business_id, dropped_position) VALUES (${businessId}, 1)`
      const refused = yield* get(`?after=${start}`)
      assert.deepStrictEqual<unknown>(refusedAs(refused, 422, "invalid_request"), [
        { field: "after", issue: "out_of_range" }
      ])
      assert.include(JSON.stringify(refused.body.error), `${oldest}, with after=${dropped}`)
      for (const from of ["", `?after=${dropped}`]) assert.lengthOf(records(yield* get(from)), 2)
    })
  )

  it.effect("needs no endpoint, and refuses a wrong cursor and a wrong limit", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const get = (query: string) => server.send("GET", `/events${query}`, { credential: key })
      assert.isEmpty(records(yield* get("")))
      yield* book(server, key)
      assert.lengthOf(records(yield* get("")), 1)
      for (const [query, details] of [
        ["?after=x", [{ field: "after", issue: "invalid" }]],
        ["?limit=0", [{ field: "limit", issue: "out_of_range" }]],
        ["?limit=101", [{ field: "limit", issue: "out_of_range" }]],
        ["?limit=x", [{ field: "limit", issue: "invalid" }]]
      ] as const)
        assert.deepStrictEqual<unknown>(refusedAs(yield* get(query), 422, "invalid_request"), details)
      refusedAs(yield* server.send("GET", "/events"), 401, "unauthorized")
    })
  )
})
