import { Api, callerKindsOf } from "@livery/contract"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isRepeatable } from "../../src/http/access/IdempotentRequests.ts"
import { routesOf } from "../../src/http/pipeline/Routes.ts"
import { setStatus } from "../support/People.ts"
import { excursion } from "../support/Tenant.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { type Answer, openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"
import { cards } from "../billing/CardBusiness.ts"
import { addresses, bookingPage, customer, later, places } from "./BookingPage.ts"
import { seller } from "./QuoteSeller.ts"

const isReplay = ({ headers }: Answer) => headers.get("idempotency-replayed") === "true"

/** The body of a response without its `meta`, which has the id of the request. */
const contentOf = ({ body: { data, error } }: Answer) => ({ data, error })

type Visit = readonly [path: string, body: object]

/**
 * Sends each request under its path as the key, and once more while the business is suspended and after it is active again.
 */
const repeat = Effect.fnUntraced(function* (
  { send }: TestServer,
  businessId: number,
  visits: ReadonlyArray<Visit>
) {
  const visit = ([path, body]: Visit, key?: string) =>
    send("POST", path, { body, headers: key === undefined ? {} : { "Idempotency-Key": key } })
  const first = yield* Effect.forEach(visits, (it) => visit(it, it[0]))
  for (const { status, text } of first) assert.include([200, 201], status, text)
  yield* setStatus(businessId, "D")
  for (const it of visits) {
    const repeated = yield* visit(it, it[0])
    refusedAs(repeated, 404, "not_found")
    assert.isFalse(isReplay(repeated))
    assert.deepStrictEqual(contentOf(repeated), contentOf(yield* visit(it)))
  }
  yield* setStatus(businessId, "A")
  for (const [index, it] of visits.entries()) {
    const repeated = yield* visit(it, it[0])
    assert.isTrue(isReplay(repeated), repeated.text)
    assert.deepStrictEqual(contentOf(repeated), contentOf(first[index] ?? assert.fail("no response")))
  }
})

layer(PortsInMemory, { timeout: 120_000 })(
  "a visitor's repeated request gets its first response only while the business is active",
  (it) => {
    it.effect("on a booking page", () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, offered, path, send } = yield* bookingPage(server)
        const { product_id } = record(yield* send("POST", "/products", excursion))
        const trip_date = yield* later("3 days")
        const { price_token } = yield* offered(trip_date)
        yield* repeat(server, businessId, [
          [`${path}/estimate`, { trip_date, ...places }],
          [`${path}/quotes`, { trip_date, ...customer, ...addresses }],
          [`${path}/trips`, { price_token, ...customer, ...addresses }],
          [`${path}/bookings`, { product_id, starts_at: trip_date, ...customer }]
        ])
      })
    )

    it.effect("by the link of a quote", () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, sent } = yield* seller(server)
        const [accepted, rejected] = [yield* sent(), yield* sent()]
        yield* repeat(server, businessId, [
          [`/public/quotes/${accepted.token}/accept`, { name: "Ada Lovelace" }],
          [`/public/quotes/${rejected.token}/reject`, {}]
        ])
      })
    )

    it.effect("by the link of an invoice", () =>
      Effect.gen(function* () {
        const { businessId, invoice, server } = yield* cards
        const { payment_hash } = yield* invoice()
        yield* repeat(server, businessId, [[`/public/invoices/${String(payment_hash)}/pay`, {}]])
      })
    )
  }
)

layer(PortsInMemory, { timeout: 120_000 })("a visitor's request to a suspended business", (it) => {
  it.effect("leaves its key free, so that it is carried out once the business is active", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, path, send } = yield* bookingPage(server)
      const { product_id } = record(yield* send("POST", "/products", excursion))
      const body = { product_id, starts_at: yield* later("3 days"), ...customer }
      const book = server.send("POST", `${path}/bookings`, { body, headers: { "Idempotency-Key": "early" } })
      yield* setStatus(businessId, "D")
      refusedAs(yield* book, 404, "not_found")
      refusedAs(yield* book, 404, "not_found")
      yield* setStatus(businessId, "A")
      const booked = yield* book
      assert.strictEqual(booked.status, 201, booked.text)
      assert.isFalse(isReplay(booked))
      assert.isTrue(isReplay(yield* book))
    })
  )
})

it("every repeatable public route with a parameter names the business of its address", () => {
  const routes = routesOf(Api).filter(
    ({ endpoint, parameters }) =>
      isRepeatable(endpoint) && parameters.length > 0 && callerKindsOf(endpoint).includes("public")
  )
  assert.isAtLeast(routes.length, 7)
  for (const { pattern, traits } of routes) assert.isDefined(traits.publicAddress, pattern)
})
