import type { Role } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { memberOf } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { tenant } from "../support/Tenant.ts"
import { openServer, record, type TestServer } from "../support/TestServer.ts"

/** A business with records of each kind, and the access tokens of a member of each role. */
const businessWithMembers = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, ids, key } = yield* tenant(server)
  const newMember = (role: Role) => memberOf(server, businessId, role)
  const callers: Readonly<Record<string, string>> = {
    "an API key": key,
    "an owner": yield* newMember("owner"),
    "a dispatcher": yield* newMember("dispatcher"),
    "an accountant": yield* newMember("accountant"),
    "a viewer": yield* newMember("viewer")
  }
  return { ids, callers }
})

/** The lists of `allowed_transitions` in the data of a response. */
const offersIn = (data: unknown) =>
  (Array.isArray(data) ? data : [data]).map((one: Readonly<Record<string, unknown>>) => {
    assert.isArray(one["allowed_transitions"], JSON.stringify(one))
    return one["allowed_transitions"] as ReadonlyArray<string>
  })

layer(Ports)("the allowed transitions of a record", (it) => {
  it.effect(
    "are none for a role that may only read in the record's area, on every route that returns it",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { callers, ids } = yield* businessWithMembers(server)
        const raised = yield* server.send("POST", "/invoices", {
          credential: callers["an API key"],
          body: { items: [{ description: "Ride", unit_price: 10 }] }
        })
        const invoice = Number(record(raised)["invoice_id"])
        const operators = ["an API key", "an owner", "a dispatcher"]
        const books = ["an API key", "an owner", "an accountant"]
        const board = "/dispatch/trips?from=2026-12-24T00:00:00Z&to=2026-12-25T00:00:00Z"
        const routes: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
          [`/trips/${ids.trip}`, operators],
          ["/trips", operators],
          [board, operators],
          [`/customers/${ids.customer}/trips`, operators],
          [`/invoices/${invoice}`, books],
          ["/invoices", books],
          ["/quotes", [...operators, "an accountant"]],
          [`/bookings/${ids.booking}`, [...operators, "an accountant"]],
          ["/bookings", [...operators, "an accountant"]],
          [`/webhooks/${ids.endpoint}`, ["an API key", "an owner"]],
          ["/webhooks", ["an API key", "an owner"]]
        ]
        for (const [path, changers] of routes)
          for (const [caller, credential] of Object.entries(callers)) {
            const answer = yield* server.send("GET", path, { credential })
            assert.strictEqual(answer.status, 200, answer.text)
            const offers = offersIn(answer.body.data)
            assert.isNotEmpty(offers, path)
            const isOffered = offers.some(({ length }) => length > 0)
            assert.strictEqual(isOffered, changers.includes(caller), `${path} for ${caller}`)
          }
      })
  )

  it.effect("are none for deliveries, which only the dispatcher changes", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { callers, ids } = yield* businessWithMembers(server)
      const credential = callers["an owner"]
      const answer = yield* server.send("GET", `/webhooks/${ids.endpoint}/deliveries`, { credential })
      const offers = offersIn(answer.body.data)
      assert.isNotEmpty(offers)
      for (const offered of offers) assert.deepStrictEqual(offered, [])
    })
  )

  it.effect(
    "are those of a trip that a member may change: the refused request of a viewer is not offered",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { callers, ids } = yield* businessWithMembers(server)
        const change = (caller: string) =>
          server.send("PATCH", `/trips/${ids.trip}`, {
            credential: callers[caller],
            body: { status: "cancelled" }
          })
        assert.strictEqual((yield* change("a viewer")).status, 403)
        assert.strictEqual((yield* change("a dispatcher")).status, 200)
      })
  )
})
