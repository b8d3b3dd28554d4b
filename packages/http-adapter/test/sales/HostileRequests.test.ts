/** Generated hostile requests to every public route: 1,000, or 10,000 with `LIVERY_FAULTS=full`. */
import { Api, callerKindsOf } from "@livery/contract"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isFull } from "../../../../test/faults/support/Extent.ts"
import { routesOf } from "../../src/http/pipeline/Routes.ts"
import { company } from "../support/Fleet.ts"
import { excursion, tariff } from "../support/Tenant.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { type Answer, openServer, record, records, type TestServer } from "../support/TestServer.ts"

const requests = isFull ? 10_000 : 1000

/** The public routes, except streams, which do not end. */
const routes = routesOf(Api).filter(
  ({ endpoint, pattern }) => callerKindsOf(endpoint).includes("public") && !pattern.endsWith("/stream")
)

/** A generator of numbers below 1, the same for the same seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const soon = "2026-12-24T18:00:00Z"
const customer = { customer_name: "Ada", customer_email: "ada@example.com" }
const addresses = { pickup_address: "Main Station", dropoff_address: "Airport" }
const places = { pickup_lat: 47.3769, pickup_lng: 8.5417, dropoff_lat: 47.4502, dropoff_lng: 8.5618 }

/** A marker in everything that the other business stores. */
const hidden = "Hidden-7c1b"

/** A business whose page is attacked, with its public data, and another business whose records are secret. */
const prepare = Effect.fnUntraced(function* (server: TestServer) {
  const [own, other] = [yield* company(server), yield* company(server)]
  const made = (path: string, body: object) => Effect.map(other.send("POST", path, body), record)
  record(yield* own.send("POST", "/tariffs", tariff))
  const { product_id } = record(yield* own.send("POST", "/products", excursion))
  const { vendor_slug } = record(yield* own.send("GET", "/settings/business"))
  const estimate = yield* server.send("POST", `/public/businesses/${String(vendor_slug)}/estimate`, {
    body: { trip_date: soon, ...places }
  })
  const price_token = /"price_token":"([^"]+)"/u.exec(estimate.text)?.[1] ?? "none"
  const secretTariff = yield* made("/tariffs", { ...tariff, name: hidden })
  const secretProduct = yield* made("/products", { ...excursion, name: hidden })
  const secretCustomer = yield* made("/customers", { name: hidden })
  const secretTrip = yield* made("/trips", { trip_date: soon, ...addresses, customer_name: hidden })
  return {
    other,
    slug: String(vendor_slug),
    ids: [
      secretTariff["tariff_id"],
      secretProduct["product_id"],
      secretCustomer["customer_id"],
      secretTrip["trip_id"]
    ],
    bodies: [
      { trip_date: soon, ...places },
      { trip_date: soon, ...customer, ...addresses },
      { price_token, ...customer, ...addresses },
      { product_id, starts_at: soon, ...customer },
      { name: "Ada Lovelace" },
      { reason: "Too expensive" }
    ] as ReadonlyArray<Readonly<Record<string, unknown>>>
  }
})

const oddTexts = [
  "",
  "'; DROP TABLE trips; --",
  "\u0000",
  "\ud800",
  "\u202e\u{1f4a3}",
  "x".repeat(20_000),
  "../../etc/passwd",
  "{{link}}",
  "<script>1</script>",
  "9999-99-99T99:99:99Z",
  "1970-01-01",
  "NaN"
]

const oddSegments = [
  "%00",
  "%ff",
  "..%2f..",
  "'",
  "a".repeat(3000),
  "0",
  "-1",
  "qt_1_x",
  "%F0%9F%92%A3",
  "null"
]

const oddHeaders: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-16" },
  { authorization: "Bearer nonsense" },
  { "x-business-id": "1" },
  { "idempotency-key": "k".repeat(500) },
  { "if-match": "*" },
  { "x-forwarded-for": "10.0.0.1, nonsense" },
  { "accept-language": "x".repeat(5000) }
]

const oddQueries = [
  "",
  "",
  "",
  "?page=0",
  "?x=%ff",
  "?search=a&search=b",
  "?__proto__=1",
  `?q=${"y".repeat(3000)}`
]

type World = Effect.Success<ReturnType<typeof prepare>>

/** One hostile request. */
const hostile = (random: () => number, { bodies, ids, slug }: World) => {
  const pick = <A>(items: ReadonlyArray<A>): A => {
    const item = items.at(Math.floor(random() * items.length))
    if (item === undefined) throw new Error("There is nothing to pick from")
    return item
  }
  const odd = (depth = 0): unknown =>
    pick<() => unknown>([
      () => null,
      () => random() < 0.5,
      () => pick([0, -1, 0.1, 1e308, 2 ** 53, -0]),
      () => pick(oddTexts),
      () => pick(ids),
      () => (depth > 3 ? [] : Array.from({ length: Math.floor(random() * 40) }, () => odd(depth + 1))),
      () =>
        depth > 3 ? {} : { lat: odd(depth + 1), [pick(["constructor", "id", "__proto__"])]: odd(depth + 1) }
    ])()
  const { method, pattern } = pick(routes)
  const path = pattern.replaceAll(/:(\w+)/gu, (_, name: string) =>
    name === "vendor_slug" && random() < 0.8 ? slug : pick(oddSegments)
  )
  const good = pick(bodies)
  const fields = [
    ...Object.keys(good),
    "stops",
    "child_seats",
    "business_id",
    "tariff_id",
    "currency",
    "price_token"
  ]
  const body = Object.fromEntries([
    ...Object.entries(good).filter(() => random() < 0.95),
    ...Array.from({ length: Math.floor(random() * 4) }, () => [pick(fields), odd()])
  ])
  const text = pick(["{", "null", "[]", '"x"', '{"a":'.repeat(2000), "[".repeat(20_000), "\u0000", "1e999"])
  const headers = pick(oddHeaders)
  return {
    method,
    path: `${path}${pick(oddQueries)}`,
    ask: method === "GET" ? { headers } : random() < 0.1 ? { text, headers } : { body, headers }
  }
}

/** Whether the body is the envelope of a success or of an error, without other fields. */
const isEnvelope = ({ body }: Answer) => {
  const keys = Object.keys(body).toSorted().join()
  return body.meta?.request_id !== undefined && (keys === "error,meta" || keys === "data,meta")
}

layer(PortsInMemory, { timeout: 600_000 })("public routes", (it) => {
  it.effect("answer generated hostile requests with the envelope, and without data of other businesses", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const world = yield* prepare(server)
      const random = randomFrom(20_261_122)
      const statuses = new Set<number>()
      assert.isAbove(routes.length, 8)
      for (let count = 0; count < requests; count++) {
        const { ask, method, path } = hostile(random, world)
        const answer = yield* server.sendTo(method, path, ask)
        const told = `request ${count}: ${method} ${path.slice(0, 200)}: ${answer.fault ?? answer.text.slice(0, 500)}`
        assert.isBelow(answer.status, 500, told)
        assert.isTrue(isEnvelope(answer), told)
        assert.notInclude(answer.text, hidden, told)
        statuses.add(answer.status)
      }
      for (const status of [200, 404, 422]) assert.include([...statuses], status)
      for (const list of ["/quotes", "/bookings"])
        assert.isEmpty(records(yield* world.other.send("GET", list)))
      assert.lengthOf(records(yield* world.other.send("GET", "/trips")), 1)
    })
  )
})
