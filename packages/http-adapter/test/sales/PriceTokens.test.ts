import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { excursion } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { addresses, bookingPage, customer, later } from "./BookingPage.ts"

/** A booking page with a product, and the tokens of its price and of a ride. */
const tokens = Effect.gen(function* () {
  const server = yield* openServer()
  const page = yield* bookingPage(server)
  const { product_id } = record(yield* page.send("POST", "/products", excursion))
  const trip_date = yield* later("3 days")
  const ofRide = Effect.map(page.offered(trip_date), ({ price_token }) => price_token)
  const ofProduct = Effect.map(page.visit("GET", ""), (shown) => {
    const [product] = record(shown)["products"] as ReadonlyArray<{ readonly price_token: string }>
    return product?.price_token ?? assert.fail("no product")
  })
  /** The body of each way to book at a price. */
  const ways = [
    { path: "/trips", token: ofRide, list: "/trips", body: { ...customer, ...addresses } },
    {
      path: "/bookings",
      token: ofProduct,
      list: "/bookings",
      body: { product_id, starts_at: trip_date, ...customer }
    }
  ]
  return { ...page, server, ways }
})

layer(Ports, { timeout: 120_000 })("a price_token", (it) => {
  it.effect("books once for any number of concurrent clicks, each of which gets the first booking", () =>
    Effect.gen(function* () {
      const { path: base, send, server, ways } = yield* tokens
      for (const { body, list, path, token } of ways) {
        const price_token = yield* token
        const clicks = yield* Effect.all(
          Array.from({ length: 8 }, (_, index) =>
            server.send("POST", `${base}${path}`, {
              body: { price_token, ...body },
              // A client that makes a key for each click.
              headers: index < 2 ? { "Idempotency-Key": `click ${index} of ${path}` } : {}
            })
          ),
          { concurrency: "unbounded" }
        )
        const [first] = clicks
        for (const click of clicks) {
          assert.strictEqual(click.status, 201, click.text)
          assert.deepStrictEqual(record(click), record(first ?? assert.fail("no click")))
        }
        assert.lengthOf(records(yield* send("GET", list)), 1, path)
      }
    })
  )

  it.effect("answers with its booking also after 15 minutes, and refuses another request", () =>
    Effect.gen(function* () {
      const { ways, visit } = yield* tokens
      for (const { body, path, token } of ways) {
        const price_token = yield* token
        const first = record(yield* visit("POST", path, { price_token, ...body }))
        const other = yield* visit("POST", path, { price_token, ...body, customer_name: "Bea" })
        refusedAs(other, 409, "conflict")
        assert.strictEqual(other.body.error?.message, "This price_token was used for another request")
        yield* TestClock.adjust("16 minutes")
        assert.deepStrictEqual(record(yield* visit("POST", path, { price_token, ...body })), first)
      }
    })
  )

  it.effect("stays usable after a request that was refused", () =>
    Effect.gen(function* () {
      const { settings, visit, ways } = yield* tokens
      for (const { body, path, token } of ways) {
        const price_token = yield* token
        yield* settings({ lead_minutes: 60 * 24 * 7 })
        refusedAs(yield* visit("POST", path, { price_token, ...body }), 422, "invalid_request")
        yield* settings({ lead_minutes: 0 })
        record(yield* visit("POST", path, { price_token, ...body }))
      }
    })
  )

  it.effect("sends one confirmation for all clicks", () =>
    Effect.gen(function* () {
      const { visit, ways } = yield* tokens
      const sql = yield* SqlClient.SqlClient
      const creditsLeft = Effect.map(
        sql`SELECT sum(email_credits_change) AS left FROM business_counters`,
        ([row]) => row?.["left"]
      )
      const [{ body, path, token } = assert.fail("no way")] = ways
      const price_token = yield* token
      record(yield* visit("POST", path, { price_token, ...body }))
      const left = yield* creditsLeft
      record(yield* visit("POST", path, { price_token, ...body }))
      assert.strictEqual(yield* creditsLeft, left)
    })
  )
})
