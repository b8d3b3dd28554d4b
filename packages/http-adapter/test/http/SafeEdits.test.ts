import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { Api, envelopeForm } from "@livery/contract"
import { routesOf } from "../../src/http/pipeline/Routes.ts"
import { company } from "../support/Fleet.ts"
import { booking, excursion } from "../support/Tenant.ts"
import { book, subscriber } from "../support/Webhooks.ts"
import { Ports, PortsInMemory } from "../support/TestPorts.ts"
import { operator } from "../support/People.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

/** Reads that return no record: reports, live positions, and the state of the server or the caller. */
const noRecords = new Set([
  "/health/live",
  "/health/ready",
  "/ping",
  "/meta/state-machines",
  "/auth/idp",
  "/me/businesses",
  "/me/api-keys",
  "/me/devices",
  "/me/views",
  "/me/push-key",
  "/settings/text-gateway",
  "/reports/:report",
  "/driver/office",
  "/me/driver/office",
  "/drivers/:id/availability",
  "/drivers/:id/statement",
  "/customers/:id/statement",
  "/reports/tax",
  "/trips/:id/location",
  "/public/tracking/:token",
  "/public/businesses/:vendor_slug",
  "/public/businesses/:vendor_slug/places",
  "/public/businesses/:vendor_slug/products/:id/departures",
  "/products/:id/departures",
  "/admin/businesses/:id/usage",
  "/admin/settings"
])

layer(PortsInMemory)("safe edits", (it) => {
  it("every read of one record declares its ETag", () => {
    const untagged = routesOf(Api).flatMap(({ endpoint, method, pattern }) => {
      const [success] = endpoint.success
      const form = success?.ast.annotations?.[envelopeForm]
      return method === "GET" && Predicate.hasProperty(form, "isList") && form.isList === false
        ? [pattern.replace("/api/v1", "")]
        : []
    })
    assert.sameMembers(untagged, [...noRecords])
  })

  it.effect("a record has its ETag, the same until it changes, and another afterwards", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, path, send } = yield* subscriber(server)
      const trip = `/trips/${String(record(yield* book(server, key))["trip_id"])}`
      for (const at of [path, trip, "/business"]) {
        const tag = (yield* send("GET", at)).headers.get("etag")
        assert.match(tag ?? "", /^"[\w-]{27}"$/u, at)
        assert.strictEqual((yield* send("GET", at)).headers.get("etag"), tag)
      }
      const before = (yield* send("GET", path)).headers.get("etag")
      const changed = yield* send("PATCH", path, { events: ["trip.updated"] })
      assert.notStrictEqual(changed.headers.get("etag"), before)
      assert.strictEqual((yield* send("GET", path)).headers.get("etag"), changed.headers.get("etag"))
    })
  )

  it.effect(
    "a change returns the tag that the record has afterwards, also if the record contains objects",
    () =>
      Effect.gen(function* () {
        const { driver, send, trip } = yield* company(yield* openServer())
        const { trip_id } = yield* trip()
        const { driver_id } = yield* driver()
        const { trip_id: staffed } = yield* trip()
        record(yield* send("POST", `/trips/${String(staffed)}/drivers`, { driver_ids: [driver_id] }))
        const made = (path: string, body: object) => Effect.map(send("POST", path, body), record)
        const items = [
          { description: "Ride", trip: { ...booking, metadata: { zulu: "1", b: "2" } }, amount: 90 }
        ]
        const { quote_id } = yield* made("/quotes", { customer_name: "Ada", items })
        const { product_id } = yield* made("/products", excursion)
        const scheme = { valid_from: "2026-12-25", name: "By the hour", currency: "USD", per_hour: 30 }
        const cases: ReadonlyArray<readonly [path: string, change: object]> = [
          [`/trips/${String(staffed)}`, { notes: "Two bags" }],
          [`/trips/${String(trip_id)}`, { stops: [{ address: "s" }] }],
          [`/trips/${String(trip_id)}`, { passengers: [{ name: "Bob", phone: "1" }, { name: "Al" }] }],
          [`/trips/${String(trip_id)}`, { metadata: { zulu: "1", b: "2", aa: "3", "10": "4", toJSON: "5" } }],
          [`/trips/${String(trip_id)}`, { child_seats: [{ type: "infant", count: 2 }] }],
          [`/quotes/${String(quote_id)}`, { items: [...items, { description: "Tip", amount: 5 }] }],
          [`/drivers/${String(driver_id)}/pay`, { schemes: [scheme] }],
          [`/products/${String(product_id)}`, { name: "{x}" }],
          ["/settings/business", { booking_page: { opening_hours: [{ to: "20:00", from: "08:00" }] } }]
        ]
        for (const [path, change] of cases) {
          const changed = yield* send("PATCH", path, change)
          record(changed)
          const told = `${path} ${JSON.stringify(change)}`
          const tag = changed.headers.get("etag")
          assert.strictEqual((yield* send("GET", path)).headers.get("etag"), tag, told)
          if (tag !== null) record(yield* send("PATCH", path, change, { "If-Match": tag }))
        }
      })
  )

  it.effect(
    "an If-Match that is stale, strong or weak, or of another record is a conflict, and nothing is changed",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { path, send } = yield* subscriber(server)
        const first = yield* send("GET", path)
        const tag = String(first.headers.get("etag"))
        record(yield* send("PATCH", path, { events: ["trip.updated"] }))
        const before = record(yield* send("GET", path))
        for (const stale of [tag, "x", `W/${tag}`, '""', `"a", ${tag}`])
          for (const method of ["PATCH", "DELETE"])
            refusedAs(
              yield* send(method, path, method === "PATCH" ? { status: "disabled" } : undefined, {
                "If-Match": stale
              }),
              409,
              "conflict"
            )
        assert.deepStrictEqual(record(yield* send("GET", path)), before)
      })
  )

  it.effect("hold for the signed-in user's own record, too", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* operator(server)
      const tagOf = Effect.map(server.send("GET", "/me", { credential: token }), ({ headers }) =>
        String(headers.get("etag"))
      )
      const rename = (name: string, match: string) =>
        server.send("PATCH", "/me", { credential: token, body: { name }, headers: { "If-Match": match } })
      const seen = yield* tagOf
      const renamed = yield* rename("Ada King", seen)
      assert.strictEqual(record(renamed)["name"], "Ada King")
      assert.strictEqual(renamed.headers.get("etag"), yield* tagOf)
      refusedAs(yield* rename("Countess of Lovelace", seen), 409, "conflict")
      const standing = record(yield* server.send("GET", "/me", { credential: token }))
      assert.strictEqual(standing["name"], "Ada King")
    })
  )

  it.effect("the record's own tag, alone or among several, and * permit the change", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      const patch = (match: string, events: ReadonlyArray<string>) =>
        send("PATCH", path, { events }, { "If-Match": match })
      const tagOf = Effect.map(send("GET", path), ({ headers }) => String(headers.get("etag")))
      assert.strictEqual((yield* patch(yield* tagOf, ["trip.updated"])).status, 200)
      assert.strictEqual((yield* patch(`"other", ${yield* tagOf}`, ["trip.created"])).status, 200)
      assert.strictEqual((yield* patch("*", ["trip.cancelled"])).status, 200)
      const tag = yield* tagOf
      const deleted = yield* send("DELETE", path, undefined, { "If-Match": tag })
      assert.deepStrictEqual([deleted.status, deleted.headers.get("etag")], [200, tag])
    })
  )
})

layer(Ports)("safe edits", (it) => {
  it.effect("of several concurrent changes of the same state, one succeeds", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      const tag = String((yield* send("GET", path)).headers.get("etag"))
      const statuses = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, index) => `https://example.com/${index}`),
        (url) => Effect.map(send("PATCH", path, { url }, { "If-Match": tag }), ({ status }) => status),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        statuses.toSorted((one, other) => one - other),
        [200, ...Array.from({ length: 9 }, () => 409)]
      )
    })
  )
})
