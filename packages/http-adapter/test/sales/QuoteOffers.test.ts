import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { wrong } from "../support/Fleet.ts"
import { setStatus } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { later } from "./BookingPage.ts"
import { ride, seller } from "./QuoteSeller.ts"

layer(Ports)("quotes", (it) => {
  it.effect("that are priced, changed or sent again have another link, and the former one is gone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { answer, send, sent, step } = yield* seller(server)
      for (const change of [
        (id: unknown) => step(id, "price", { amounts: [100] }),
        (id: unknown) => send("PATCH", `/quotes/${String(id)}`, { items: [ride, ride] }),
        (id: unknown) => send("PATCH", `/quotes/${String(id)}`, { valid_until: "2027-01-01T00:00:00Z" }),
        (id: unknown) => step(id, "send"),
        (id: unknown) => send("DELETE", `/quotes/${String(id)}`, { force: true })
      ]) {
        const { quote_id, token } = yield* sent()
        record(yield* server.send("GET", `/public/quotes/${token}`))
        record(yield* change(quote_id))
        refusedAs(yield* server.send("GET", `/public/quotes/${token}`), 404, "not_found")
        refusedAs(yield* answer(token, "accept"), 404, "not_found")
      }
      const { quote_id, token } = yield* sent()
      record(yield* send("PATCH", `/quotes/${String(quote_id)}`, { notes: "Call first" }))
      assert.deepInclude(record(yield* server.send("GET", `/public/quotes/${token}`)), { status: "sent" })
    })
  )

  it.effect("that are no longer open refuse another offer, and name the states that they may move to", () =>
    Effect.gen(function* () {
      const { quote, send, step } = yield* seller(yield* openServer())
      const { quote_id } = yield* quote()
      const path = `/quotes/${String(quote_id)}`
      for (const [name, words] of [
        ["accept", "A quote that is accepted cannot become draft; it may become converted, rejected"],
        ["convert", "A quote that is converted cannot become draft: it is final"]
      ] as const) {
        record(yield* step(quote_id, name))
        for (const change of [{ items: [ride, ride] }, { valid_until: null }]) {
          const refused = yield* send("PATCH", path, { ...change, notes: "Late" })
          assert.deepStrictEqual(refusedAs(refused, 422, "invalid_request"), [
            { field: "status", issue: "illegal_transition" }
          ])
          assert.include(refused.body.error?.message, words)
        }
        assert.deepInclude(record(yield* send("PATCH", path, { notes: name })), { notes: name })
      }
    })
  )

  it.effect("expire at the end of their time, on each route, before the expiry is stored", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { answer, quote, send, sent, step } = yield* seller(server)
      const sql = yield* SqlClient.SqlClient
      const soon = { valid_until: "2026-11-20T10:00:00Z" }
      const { quote_id, token } = yield* sent(soon)
      const draft = yield* quote(soon)
      yield* TestClock.adjust("29 minutes")
      assert.deepInclude(record(yield* send("GET", `/quotes/${String(quote_id)}`)), { status: "sent" })
      yield* TestClock.adjust("1 minute")
      for (const id of [quote_id, draft["quote_id"]]) {
        const read = record(yield* send("GET", `/quotes/${String(id)}`))
        assert.deepInclude(read, { status: "expired", allowed_transitions: [] })
        for (const name of ["send", "accept", "reject", "convert", "price"])
          assert.deepStrictEqual(
            refusedAs(
              yield* step(id, name, name === "price" ? { amounts: [1] } : {}),
              422,
              "invalid_request"
            ),
            [{ field: "status", issue: "illegal_transition" }]
          )
      }
      assert.deepInclude(record(yield* server.send("GET", `/public/quotes/${token}`)), { status: "expired" })
      refusedAs(yield* answer(token, "accept"), 422, "invalid_request")
      assert.lengthOf(records(yield* send("GET", "/quotes?status=expired")), 2)
      assert.isEmpty(records(yield* send("GET", "/quotes?status=sent")))
      const [{ status } = { status: "" }] = yield* sql<{ status: string }>`
        SELECT status FROM quotes WHERE quote_id = ${Number(quote_id)}`
      assert.strictEqual(status, "sent")
    })
  )

  it.effect("of a suspended business and of unknown tokens are absent to their links", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { answer, businessId, sent } = yield* seller(server)
      const { token } = yield* sent()
      const keyOf = (quoteToken: string) => quoteToken.split("_")[1] ?? ""
      const key = keyOf(token)
      const forged = `lvq_${key}_${"a".repeat(43)}`
      const other = yield* (yield* seller(server)).sent()
      const swapped = token.replace(`lvq_${key}_`, `lvq_${keyOf(other.token)}_`)
      assert.notStrictEqual(swapped, token)
      for (const bad of ["x", forged, swapped, `drv_${key}_${"a".repeat(43)}`, "%00"]) {
        refusedAs(yield* server.send("GET", `/public/quotes/${bad}`), 404, "not_found")
        refusedAs(yield* answer(bad, "accept"), 404, "not_found")
        refusedAs(yield* answer(bad, "reject", {}), 404, "not_found")
      }
      assert.deepStrictEqual(
        refusedAs(yield* answer(token, "accept", {}), 422, "invalid_request"),
        wrong({ name: "required" })
      )
      yield* setStatus(businessId, "D")
      refusedAs(yield* server.send("GET", `/public/quotes/${token}`), 404, "not_found")
      refusedAs(yield* answer(token, "accept"), 404, "not_found")
    })
  )

  it.effect("are not given a valid_until that has passed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { quote, send } = yield* seller(server)
      const past = wrong({ valid_until: "out_of_range" })
      // The clock of these tests may be between two seconds, and records show whole ones.
      yield* TestClock.setTime(Date.parse("2026-11-21T09:30:00Z"))
      const soon = yield* later("1 hour")
      const { quote_id } = yield* quote({ valid_until: soon })
      const path = `/quotes/${String(quote_id)}`
      for (const valid_until of [yield* later("-1 day"), yield* later("0 seconds")]) {
        const body = { customer_name: "Ada", items: [ride], valid_until }
        for (const answer of [
          yield* send("POST", "/quotes", body),
          yield* send("PATCH", path, { valid_until })
        ])
          assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), past)
      }
      assert.deepInclude(record(yield* send("GET", path)), {
        status: "draft",
        valid_until: soon
      })
      // The notes of an expired quote can still be changed.
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(record(yield* send("PATCH", path, { notes: "Asked again" })), { status: "expired" })
    })
  )
})
