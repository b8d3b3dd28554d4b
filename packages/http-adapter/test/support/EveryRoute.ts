/** Requests to every route of the API, generated from the contract: a new route is included at once. */
import { Api, callerKindsOf } from "@livery/contract"
import { Effect } from "effect"
import { type ApiRoute, routesOf } from "../../src/http/pipeline/Routes.ts"
import { booking, excursion, ride, tariff, tenant, textGateway } from "./Tenant.ts"
import { superAdmin } from "./People.ts"
import type { Answer, Ask, TestServer } from "./TestServer.ts"

type Ids = Effect.Success<ReturnType<typeof tenant>>["ids"] & {
  readonly business: number
  readonly user: number
}

/** The id that a path parameter names, by the segment before it. */
const idFor = (ids: Ids, before: string): string => {
  const kinds: Readonly<Record<string, number | string>> = {
    cars: ids.car,
    drivers: ids.driver,
    customers: ids.customer,
    trips: ids.trip,
    invoices: ids.invoice,
    payments: ids.payment,
    remittances: ids.remittance,
    "bank-statements": ids.statement,
    imports: ids.moved,
    entries: ids.entry,
    "invoice-runs": ids.run,
    credited: ids.creditedInvoice,
    "credit-notes": ids.creditNote,
    webhooks: ids.endpoint,
    deliveries: ids.delivery,
    tariffs: ids.tariff,
    versions: ids.version,
    businesses: ids.business,
    users: ids.user,
    plans: 1,
    settings: "default_plan_id",
    members: ids.member,
    quotes: ids.quote,
    products: ids.product,
    bookings: ids.booking,
    views: ids.view,
    "trip-templates": ids.template,
    vendor_slug: ids.slug
  }
  return String(kinds[before] ?? "none")
}

const pathOf = ({ pattern }: ApiRoute, value: (before: string) => string) =>
  pattern
    .replace(/v1\/payments\/:id/u, `v1/payments/${value("remittances")}`)
    .replace(/invoices\/:id(?=\/credit-notes)/u, `invoices/${value("credited")}`)
    .replaceAll(
      /([\w-]+)\/:(\w+)/gu,
      (_, before: string, name: string) => `${before}/${value(name === "vendor_slug" ? name : before)}`
    )

/** A valid body for a route; `{}` if it needs none. */
const validBodies = ({
  absence,
  business,
  driver,
  invoice,
  priceToken,
  product,
  spare,
  trip,
  underWay
}: Ids): Readonly<Record<string, unknown>> => ({
  "POST /api/v1/trips": { ...booking, group_id: "Wedding" },
  "POST /api/v1/trips/bulk": [booking],
  "POST /api/v1/customers/bulk": [{ name: "Mary" }],
  "POST /api/v1/drivers/bulk": [{ name: "Mary" }],
  "POST /api/v1/cars/bulk": [{ name: "White" }],
  "POST /api/v1/trip-templates": { name: "Airport", trip: { pickup_address: "Airport" } },
  "PATCH /api/v1/trip-templates/:id": { name: "Changed" },
  "POST /api/v1/trip-templates/:id/trips": booking,
  "PATCH /api/v1/trips/:id": { notes: "Changed" },
  "PATCH /api/v1/trips/:id/driver-status": { status: "en_route" },
  "POST /api/v1/trips/:id/drivers": { driver_ids: [driver, spare] },
  "POST /api/v1/dispatch/assignments": [{ trip_id: trip, driver_ids: [driver, spare], force: true }],
  "POST /api/v1/dispatch/plan": { date: "2027-02-01", locked: [trip], budget_ms: 100 },
  "POST /api/v1/trips/:id/repeat": { rrule: "FREQ=DAILY;COUNT=2", until: "2027-12-31", force: true },
  "POST /api/v1/dispatch/copy-day": { from: "2027-02-01", to: "2027-02-02", force: true },
  "POST /api/v1/dispatch/groups": { group_id: "Wedding", move_minutes: 1, force: true },
  "POST /api/v1/cars": { name: "White" },
  "PATCH /api/v1/cars/:id": { name: "Changed" },
  "POST /api/v1/drivers": { name: "Mary" },
  "PATCH /api/v1/drivers/:id": { name: "Changed" },
  "POST /api/v1/drivers/:id/absences": {
    starts_at: "2027-02-01T00:00:00Z",
    ends_at: "2027-02-02T00:00:00Z",
    repeat: { weekdays: ["monday"], until: "2027-02-20" }
  },
  "DELETE /api/v1/drivers/:id/absences": { absence_ids: [absence] },
  "POST /api/v1/customers": { name: "Mary", email: "mary@example.com" },
  "PATCH /api/v1/customers/:id": { name: "Changed" },
  "POST /api/v1/quotes": {
    customer_name: "Ada",
    items: [{ description: "Ride", trip: booking, amount: 10 }]
  },
  "PATCH /api/v1/quotes/:id": { notes: "Changed" },
  "POST /api/v1/quotes/:id/price": { amounts: [20] },
  "POST /api/v1/products": excursion,
  "PATCH /api/v1/products/:id": { capacity: 20 },
  "POST /api/v1/bookings": { product_id: product, starts_at: booking.trip_date, customer_name: "Ada" },
  "PATCH /api/v1/bookings/:id": { participants_count: 2, starts_at: "2026-12-24T20:00:00Z" },
  "POST /api/v1/bookings/:id/payments": { amount: 1, method: "cash" },
  "POST /api/v1/tariffs": tariff,
  "PATCH /api/v1/tariffs/:id": { name: "Changed" },
  "POST /api/v1/fares/estimate": ride,
  "POST /api/v1/trips/:id/fare": { vehicle_class: "sedan" },
  "PATCH /api/v1/drivers/:id/pay": {
    schemes: [{ valid_from: "2026-01-01", name: "Usual", currency: "USD", flat: 20 }]
  },
  "PATCH /api/v1/settings/notices": { quiet_minutes: 5 },
  "POST /api/v1/settings/notices/preview": { kind: "booked" },
  "POST /api/v1/settings/text-gateway": textGateway,
  "POST /api/v1/settings/text-gateway/test": { to: "+41446681800", text: "A test" },
  "PATCH /api/v1/customers/:id/notice-preferences": { kinds: ["booked"], channels: null },
  "POST /api/v1/drivers/:id/messages": { text: "Call us" },
  "POST /api/v1/public/businesses/:vendor_slug/estimate": ride,
  "POST /api/v1/public/businesses/:vendor_slug/quotes": { ...booking, customer_email: "ada@example.com" },
  "POST /api/v1/public/businesses/:vendor_slug/trips": { ...booking, price_token: priceToken },
  "POST /api/v1/public/businesses/:vendor_slug/bookings": {
    product_id: product,
    starts_at: booking.trip_date,
    customer_name: "Ada"
  },
  "POST /api/v1/customers/:id/invoices": { month: "2026-12" },
  "POST /api/v1/customers/:id/statement/send": { from: "2026-11-01", to: "2026-12-31" },
  "POST /api/v1/invoices": { items: [{ description: "Transfer", unit_price: 10 }] },
  "PATCH /api/v1/invoices/:id": { notes: "Changed" },
  "POST /api/v1/invoices/:id/trips": { trip_ids: [underWay] },
  "DELETE /api/v1/invoices/:id/trips": { trip_ids: [underWay] },
  "POST /api/v1/invoices/:id/email": { to: "books@example.com" },
  "POST /api/v1/invoices/:id/payments": { amount: 1, method: "cash" },
  "POST /api/v1/invoices/:id/payments/:payment_id/refund": { amount: 1 },
  "POST /api/v1/invoices/:id/payments/:payment_id/reverse": { reason: "A typing error" },
  "POST /api/v1/invoices/monthly": { month: "2026-12" },
  "POST /api/v1/payments": { amount: 1, allocations: [{ invoice_id: invoice, amount: 1 }] },
  "POST /api/v1/bank-statements/:id/entries/:entry_id/confirm": {
    allocations: [{ invoice_id: invoice, amount: 1 }]
  },
  "POST /api/v1/invoices/:id/credit-notes": { items: [{ description: "Transfer", unit_price: 1 }] },
  "POST /api/v1/webhooks": { url: "https://receiver.example.com/", events: ["trip.created"] },
  "PATCH /api/v1/webhooks/:id": { events: ["trip.updated"] },
  "POST /api/v1/webhooks/:id/test": { event_type: "trip.created" },
  "PATCH /api/v1/settings/flights": { buffer_minutes: 15 },
  "PATCH /api/v1/settings/invoice-numbers": { format: "RE-{N:5}" },
  "PATCH /api/v1/settings/credit-note-numbers": { format: "GS-{N:5}" },
  "POST /api/v1/settings/dunning/preview": { language: "de" },
  "PATCH /api/v1/settings/business": { business_name: "Changed" },
  "POST /api/v1/business/members": { email: "new.member@example.com", role: "viewer" },
  "DELETE /api/v1/business/members/invitations": { email: "new.member@example.com" },
  "PATCH /api/v1/business/members/:user_id": { role: "dispatcher" },
  "PATCH /api/v1/me": { name: "Changed" },
  "POST /api/v1/me/views": { name: "Today", screen: "trips", query: "status=confirmed" },
  "PATCH /api/v1/me/views/:id": { name: "Changed" },
  "PATCH /api/v1/me/preferences": { theme: "dark" },
  "POST /api/v1/me/devices": { device_token: "device", platform: "ios" },
  "DELETE /api/v1/me/devices": { device_token: "device" },
  "POST /api/v1/driver/location": { lat: 47.4, lng: 8.5 },
  "POST /api/v1/driver/locations": { locations: [{ lat: 47.4, lng: 8.5 }] },
  "POST /api/v1/driver/track": { _type: "location", lat: 47.4, lon: 8.5 },
  "POST /api/v1/driver/status": { status: "en_route" },
  "POST /api/v1/me/driver/location": { lat: 47.4, lng: 8.5 },
  "POST /api/v1/me/driver/locations": { locations: [{ lat: 47.4, lng: 8.5 }] },
  "PATCH /api/v1/me/driver/trips/:id": { status: "en_route" },
  "PATCH /api/v1/admin/businesses/:id": { business_name: "Changed" },
  "POST /api/v1/admin/businesses/:id/credits": { credits: 1, reason: "Test" },
  "POST /api/v1/admin/businesses/:id/suspend": { action: "activate" },
  "PATCH /api/v1/admin/settings/:key": { value: 2 },
  "POST /api/v1/admin/users": { name: "Grace", email: "grace@example.com", password: "correct horse" },
  "POST /api/v1/admin/users/:id/password-reset": { password: "another horse" },
  "POST /api/v1/admin/users/:id/business-assignment": { business_id: business, action: "assign" }
})

const queries = [
  "",
  "?from=2026-12-24T10:00:00Z&to=2026-12-24T11:00:00Z&vehicle_class=sedan&near=47.4,8.5",
  "?page=1&per_page=2",
  "?page=0&per_page=x",
  "?page=1&page=2",
  "?search=a+b%20c&status=",
  "?x=%ff"
]

const texts = ["", "{", "null", "[]", "{}", '{"name":1,"email":[],"driver_ids":{}}']

const tooLarge = `"${"x".repeat(1024 ** 2)}"`

/** The requests of an exercise: all of them, or only those that the business's rows are read for. */
type Extent = "all" | "reading"

/** Sends right and wrong credentials, ids, queries and bodies to a route. */
const exercise = Effect.fnUntraced(function* (
  server: TestServer,
  route: ApiRoute,
  ids: Ids,
  own: Ask,
  query: string,
  extent: Extent
) {
  const { method, pattern } = route
  const path = pathOf(route, (before) => idFor(ids, before))
  const ask = (to: string, given: Ask = own, by: string = method): Effect.Effect<Answer> =>
    server.sendTo(by, to.includes("?") ? to.replace("?", `${query || "?"}&`) : `${to}${query}`, given)
  const body = validBodies(ids)[`${method} ${pattern}`] ?? {}
  const sent = method === "GET" ? {} : { body }

  if (extent === "all") {
    for (const credential of ["nonsense", `lvk_short`]) yield* ask(path, { ...own, credential })
    yield* server.sendTo(method, path, sent)
    yield* ask(path, { ...own, business: "x" })
    if (path !== pattern)
      for (const to of ["x", "0", "01", "%31", "1;x=1", "1".repeat(101)])
        yield* ask(
          pathOf(route, () => to),
          { ...own, ...sent }
        )
    if (method === "GET") {
      for (const by of ["HEAD", "PUT", "OPTIONS"]) yield* ask(path, own, by)
      yield* ask(`${path}/`)
    } else {
      for (const text of texts) yield* ask(path, { ...own, text })
      yield* ask(path, { ...own, text: tooLarge, headers: { "content-length": String(tooLarge.length) } })
      yield* ask(path, { ...own, text: "{}", headers: { "content-type": "text/plain" } })
    }
  }

  yield* ask(path, { ...own, credential: `lvk_${"a".repeat(43)}` })
  for (const business of [1, 999_999]) yield* ask(path, { ...own, business })
  if (path !== pattern)
    yield* ask(
      pathOf(route, () => "999999999"),
      { ...own, ...sent }
    )
  if (method === "GET") {
    for (const search of queries) yield* ask(`${path}${search}`)
    return
  }
  yield* ask(path, { ...own, body, headers: { "content-type": "Application/JSON; charset=utf-8" } })
  for (const tag of ['"stale"', "*"]) yield* ask(path, { ...own, body, headers: { "if-match": tag } })
  for (const key of ["one", "one", "", "\u00e9"])
    yield* ask(path, { ...own, body, headers: { "idempotency-key": `${key}${key === "one" ? path : ""}` } })
})

const routes = routesOf(Api)

/** The routes that end a caller's access go last, and deletions after everything else. */
const order = ({ method, pattern }: ApiRoute) =>
  pattern.includes("/auth/") || pattern.includes("password") ? 2 : method === "DELETE" ? 1 : 0

/** A permitted caller for each access. */
const callers = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, driverSession, key, token, ...made } = yield* tenant(server)
  const root = yield* superAdmin(server)
  const ids: Ids = { ...made.ids, business: businessId, user: root.userId }
  const assigned = yield* server.send("POST", `/trips/${ids.trip}/drivers`, {
    credential: key,
    body: { driver_ids: [ids.driver, ids.spare] }
  })
  const driverToken = /drv_[\w-]+/u.exec(assigned.text)?.[0] ?? "none"
  const own = ({ endpoint }: ApiRoute): Ask => {
    const [callerKind] = callerKindsOf(endpoint)
    if (callerKind === "business") return { credential: key }
    if (callerKind === "superAdmin") return { credential: root.token }
    if (callerKind === "user" || callerKind === "userForBusiness") return { credential: token }
    return callerKind === "driver" ? { credential: driverSession } : {}
  }
  const query = ({ endpoint }: ApiRoute) =>
    callerKindsOf(endpoint)[0] === "driverToken" ? `?token=${driverToken}` : ""
  return { businessId, ids, own, query }
})

/** Sends requests as `server` does, and collects those that failed, except for lack of a payment provider. */
export const collecting = (server: TestServer, faults: Array<string>): TestServer => ({
  ...server,
  sendTo: (method, path, ask) =>
    server.sendTo(method, path, ask).pipe(
      Effect.tap(({ status, text }) =>
        Effect.sync(() => {
          if (status >= 500 && !text.includes("payment_provider_unavailable"))
            faults.push(`${method} ${path}: ${status} ${text}`)
        })
      )
    )
})

const isStream = ({ pattern }: ApiRoute) => pattern.endsWith("/stream")

/** The routes by what their requests are about, in an order in which each finds its records and its access. */
const routesByRoom = (): ReadonlyMap<string, ReadonlyArray<ApiRoute>> =>
  Map.groupBy(
    routes.filter((route) => !isStream(route)).toSorted((one, other) => order(one) - order(other)),
    (route) => ["", "deletions", "access"][order(route)] || route.group.identifier
  )

/**
 * Every route, by a caller that it accepts, room by room. The business is set up first; each room's requests are an effect
 * of their own, and run in the order of the rooms.
 */
export const everyRoom = Effect.fnUntraced(function* (server: TestServer, extent: Extent = "all") {
  const { ids, own, query } = yield* callers(server)
  return (room: string) =>
    Effect.forEach(
      routesByRoom().get(room) ?? [],
      (route) => exercise(server, route, ids, own(route), query(route), extent),
      { discard: true }
    )
})

/** The names of the rooms, in their order. */
export const rooms: ReadonlyArray<string> = [...routesByRoom().keys()]

/** Every route, by a caller that it accepts. `prepared` runs once the business is set up. */
export const everyRoute = Effect.fnUntraced(function* (
  server: TestServer,
  prepared: Effect.Effect<void> = Effect.void,
  extent: Extent = "all"
) {
  const requestsOf = yield* everyRoom(server, extent)
  yield* prepared
  for (const room of rooms) yield* requestsOf(room)
})
