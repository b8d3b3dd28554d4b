/**
 * Another business's id, in a path, in a query or in a body, is an id that nothing has: in every answer, byte for
 * byte, and in every row. The routes and their fields come from the contract, so that a new one has to be added here.
 */
import { Api } from "@livery/http-adapter"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { SqlClient, type SqlError } from "effect/sql"
import { type Serves, servesOf } from "../src/http/Access.ts"
import { Ports } from "./support/TestPorts.ts"
import { booking, everything, tenant } from "./support/Tenant.ts"
import { type Answer, openWire, refusedAs } from "./support/Wire.ts"

type Kind =
  | "car"
  | "driver"
  | "customer"
  | "trip"
  | "invoice"
  | "payment"
  | "creditedInvoice"
  | "creditNote"
  | "endpoint"
  | "delivery"
  | "tariff"
  | "member"
  | "quote"
  | "product"
  | "booking"
  | "absence"
  | "underWay"
type Ids = Readonly<Record<Kind, number>>

const nobodys = 999_999_999
const absent: Ids = {
  car: nobodys,
  driver: nobodys,
  customer: nobodys,
  trip: nobodys,
  invoice: nobodys,
  payment: nobodys,
  endpoint: nobodys,
  delivery: nobodys,
  tariff: nobodys,
  member: nobodys,
  quote: nobodys,
  product: nobodys,
  booking: nobodys,
  creditedInvoice: nobodys,
  creditNote: nobodys,
  absence: nobodys,
  underWay: nobodys
}

/** What the id of a path names, by what stands before it. */
const kinds: Readonly<Record<string, Kind>> = {
  cars: "car",
  drivers: "driver",
  customers: "customer",
  trips: "trip",
  invoices: "invoice",
  payments: "payment",
  credited: "creditedInvoice",
  "credit-notes": "creditNote",
  webhooks: "endpoint",
  deliveries: "delivery",
  tariffs: "tariff",
  members: "member",
  quotes: "quote",
  products: "product",
  bookings: "booking"
}

/** Parameters that are no ids: capabilities, and the public name of a business. */
const capabilities = new Set([":token", ":hash", ":vendor_slug"])

const routes = (() => {
  const found: Array<{ name: string; method: string; path: string; serves: Serves | undefined }> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const path = endpoint.path.replace("/api/v1", "").replace(/(?<=.)\/$/u, "")
      found.push({
        name: `${endpoint.method} ${path}`,
        method: endpoint.method,
        path,
        serves: servesOf(endpoint)[0]
      })
    }
  })
  return found
})()

const paramsOf = (path: string) =>
  [...path.matchAll(/\/(?<of>[\w-]+)\/(?<param>:\w+)/gu)]
    .map(({ groups }) => ({ of: groups?.["of"] ?? "", param: groups?.["param"] ?? "" }))
    // The credit note belongs to an invoice of its own.
    .map(({ of, param }) => ({
      of: of === "invoices" && path.includes("/credit-notes") ? "credited" : of,
      param
    }))
    .filter(({ param }) => !capabilities.has(param))

/** The routes of businesses with ids in their paths. Those of super-admins are about every business. */
const routesWithIds = routes.filter(
  ({ path, serves }) => serves !== "superAdmin" && paramsOf(path).length > 0
)

/** A body that the route would take, were the record there; `{}` by default. */
const bodies = (own: Ids): Readonly<Record<string, unknown>> => ({
  "PATCH /cars/:id": { name: "Mine" },
  "PATCH /business/members/:user_id": { role: "owner" },
  "PATCH /drivers/:id": { name: "Mine" },
  "PATCH /drivers/:id/pay": { schemes: [] },
  "POST /trips/:id/fare": { vehicle_class: "sedan" },
  "POST /drivers/:id/absences": { starts_at: booking.trip_date, ends_at: "2026-12-25T18:00:00Z" },
  "DELETE /drivers/:id/absences": { absence_ids: [own.absence] },
  "PATCH /customers/:id": { name: "Mine" },
  "PATCH /trips/:id": { notes: "Mine" },
  "PATCH /invoices/:id": { notes: "Mine" },
  "DELETE /invoices/:id": { force: true },
  "POST /customers/:id/invoices": { month: "2026-12" },
  "POST /invoices/:id/trips": { trip_ids: [own.trip] },
  "DELETE /invoices/:id/trips": { trip_ids: [own.trip] },
  "POST /bookings/:id/payments": { amount: 1, method: "cash" },
  "POST /invoices/:id/payments": { amount: 1, method: "cash" },
  "PATCH /trips/:id/driver-status": { status: "cancelled" },
  "POST /trips/:id/drivers": { driver_ids: [own.driver] },
  "POST /trips/:id/reopen": { reason: "Mine" },
  "PATCH /me/driver/trips/:id": { status: "cancelled" },
  "PATCH /tariffs/:id": { name: "Mine" },
  "PATCH /quotes/:id": { notes: "Mine" },
  "POST /quotes/:id/price": { amounts: [1] },
  "DELETE /quotes/:id": { force: true },
  "PATCH /products/:id": { name: "Mine" },
  "DELETE /products/:id": { force: true },
  "PATCH /bookings/:id": { notes: "Mine" },
  "POST /bookings/:id/cancel": { force: true },
  "DELETE /bookings/:id": { force: true },
  "PATCH /webhooks/:id": { events: ["trip.created"] },
  "POST /webhooks/:id/test": { event_type: "trip.created" },
  "DELETE /cars/:id": { force: true },
  "DELETE /drivers/:id": { force: true },
  "DELETE /customers/:id": { force: true },
  "DELETE /trips/:id": { force: true }
})

/** The query parameters that a route requires. */
const requiredQueries: Readonly<Record<string, string>> = {
  "GET /drivers/:id/statement": "?from=2026-12-01&to=2026-12-31"
}

/** The fields of bodies and queries that name a record, and a request that names one there. */
const references: Readonly<
  Record<string, (own: Ids, named: Ids) => readonly [path: string, body?: unknown]>
> = {
  "POST /trips car_id": (_, { car }) => ["/trips", { ...booking, car_id: car }],
  "POST /trips customer_id": (_, { customer }) => ["/trips", { ...booking, customer_id: customer }],
  "POST /trips linked_trip_id": (_, { trip }) => ["/trips", { ...booking, linked_trip_id: trip }],
  "PATCH /trips/:id linked_trip_id": (own, { trip }) => [`/trips/${own.trip}`, { linked_trip_id: trip }],
  "POST /trips/:id/duplicate linked_trip_id": (own, { trip }) => [
    `/trips/${own.trip}/duplicate`,
    { linked_trip_id: trip }
  ],
  "PATCH /trips/:id car_id": ({ trip }, { car }) => [`/trips/${trip}`, { car_id: car }],
  "PATCH /trips/:id customer_id": ({ trip }, { customer }) => [`/trips/${trip}`, { customer_id: customer }],
  "POST /trips/:id/duplicate car_id": ({ trip }, { car }) => [`/trips/${trip}/duplicate`, { car_id: car }],
  "POST /trips/:id/duplicate customer_id": ({ trip }, { customer }) => [
    `/trips/${trip}/duplicate`,
    { customer_id: customer }
  ],
  "POST /trips/:id/drivers driver_ids": (own, { driver }) => [
    `/trips/${own.trip}/drivers`,
    { driver_ids: [own.driver, driver] }
  ],
  "PATCH /trips/:id/driver-status driver_id": ({ trip }, { driver }) => [
    `/trips/${trip}/driver-status`,
    { driver_id: driver, status: "en_route" }
  ],
  "POST /invoices customer_id": (_, { customer }) => [
    "/invoices",
    { items: [{ description: "Transfer", unit_price: 1 }], customer_id: customer }
  ],
  "POST /invoices trip_ids": (_, { trip }) => ["/invoices", { trip_ids: [trip] }],
  "PATCH /invoices/:id customer_id": ({ invoice }, { customer }) => [
    `/invoices/${invoice}`,
    { customer_id: customer }
  ],
  "POST /invoices/:id/trips trip_ids": ({ invoice }, { trip }) => [
    `/invoices/${invoice}/trips`,
    { trip_ids: [trip] }
  ],
  "DELETE /invoices/:id/trips trip_ids": ({ invoice }, { trip }) => [
    `/invoices/${invoice}/trips`,
    { trip_ids: [trip] }
  ],
  "POST /drivers default_car_id": (_, { car }) => ["/drivers", { name: "Mary", default_car_id: car }],
  "PATCH /drivers/:id default_car_id": ({ driver }, { car }) => [
    `/drivers/${driver}`,
    { default_car_id: car }
  ],
  "DELETE /drivers/:id/absences absence_ids": ({ driver }, { absence }) => [
    `/drivers/${driver}/absences`,
    { absence_ids: [absence] }
  ],
  "POST /quotes customer_id": (_, { customer }) => [
    "/quotes",
    { customer_id: customer, items: [{ description: "Ride" }] }
  ],
  "PATCH /quotes/:id customer_id": ({ quote }, { customer }) => [
    `/quotes/${quote}`,
    { customer_id: customer }
  ],
  "POST /quotes/:id/price tariff_id": ({ quote }, { tariff }) => [
    `/quotes/${quote}/price`,
    { vehicle_class: "sedan", tariff_id: tariff }
  ],
  "POST /bookings product_id": (_, { product }) => [
    "/bookings",
    { product_id: product, starts_at: booking.trip_date, customer_name: "Ada" }
  ],
  "POST /bookings customer_id": (own, { customer }) => [
    "/bookings",
    { product_id: own.product, starts_at: booking.trip_date, customer_id: customer }
  ],
  "PATCH /bookings/:id customer_id": (own, { customer }) => [
    `/bookings/${own.booking}`,
    { customer_id: customer }
  ],
  "GET /bookings product_id": (_, { product }) => [`/bookings?product_id=${product}`],
  "GET /bookings customer_id": (_, { customer }) => [`/bookings?customer_id=${customer}`],
  "GET /quotes customer_id": (_, { customer }) => [`/quotes?customer_id=${customer}`],
  "POST /trips/:id/fare tariff_id": ({ underWay }, { tariff }) => [
    `/trips/${underWay}/fare`,
    { vehicle_class: "sedan", tariff_id: tariff }
  ],
  "POST /fares/estimate tariff_id": (_, { tariff }) => [
    "/fares/estimate",
    { trip_date: booking.trip_date, tariff_id: tariff }
  ],
  "GET /trips driver_id": (_, { driver }) => [`/trips?driver_id=${driver}`],
  "GET /trips car_id": (_, { car }) => [`/trips?car_id=${car}`],
  "GET /trips customer_id": (_, { customer }) => [`/trips?customer_id=${customer}`],
  "GET /dispatch/trips driver_id": (_, { driver }) => [`/dispatch/trips?driver_id=${driver}`],
  "GET /dispatch/trips car_id": (_, { car }) => [`/dispatch/trips?car_id=${car}`],
  "GET /dispatch/trips customer_id": (_, { customer }) => [`/dispatch/trips?customer_id=${customer}`]
}

/**
 * Columns that end like an id and are bound to no row of the business: an account may belong to several businesses, a
 * group of trips is a text, a lock names a driver or a car, and the timeline names drivers without a key, with which every
 * report would lock the driver after the trip. The provider of payments has identifiers of its own, and coupons belong to the
 * platform. One statement writes a trip and its row in `trip_search`, and one an event and its deliveries.
 */
const unbound = [
  "audit_log.request_id",
  "business_members.user_id",
  "drivers.user_id",
  "events.event_id",
  "payments.provider_id",
  "saas_invoices.coupon_id",
  "schedule_locks.resource_id",
  "card_intents.intent_id",
  "payment_notices.event_id",
  "trip_changes.driver_id",
  "trip_search.trip_id",
  "trips.group_id",
  "webhook_deliveries.claim_id",
  "webhook_deliveries.event_id"
]

/** Fields that end like an id and name no record of a business. */
const noReferences = new Set<string>([
  "GET /trips group_id",
  "GET /dispatch/trips group_id",
  "POST /trips group_id",
  "POST /dispatch/groups group_id",
  "PATCH /trips/:id group_id",
  "POST /trips/:id/duplicate group_id"
])

interface JsonSchema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
}

/** Every field of the contract's business routes that names a record, as `references` tells them. */
const referencesOfContract = () => {
  const document = OpenApi.fromApi(Api)
  const schemas = document.components.schemas as Readonly<Record<string, JsonSchema>>
  const fieldsOf = (schema: JsonSchema): ReadonlyArray<string> => {
    const of = schema.$ref === undefined ? schema : (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {})
    return [
      ...Object.keys(of.properties ?? {}),
      ...[...(of.anyOf ?? []), ...(of.allOf ?? []), ...(of.oneOf ?? [])].flatMap(fieldsOf)
    ]
  }
  return routes
    .filter(({ serves }) => serves === "business")
    .flatMap(({ method, name, path }) => {
      const template = `/api/v1${path.replaceAll(/:(\w+)/gu, "{$1}")}`
      const item = document.paths[template] ?? document.paths[`${template}/`]
      const operation = item?.[method.toLowerCase() as "get" | "post" | "patch" | "delete"]
      assert.isDefined(operation, name)
      const json = operation?.requestBody?.content["application/json"]?.schema as JsonSchema | undefined
      const query = (operation?.parameters ?? []).filter((it) => it.in === "query").map((it) => it.name)
      return [...new Set([...(json === undefined ? [] : fieldsOf(json)), ...query])]
        .filter((field) => /_ids?$/u.test(field))
        .map((field) => `${name} ${field}`)
    })
    .filter((field) => !noReferences.has(field))
}

/** All of an answer but what belongs to the one request: its id, its time, how many are left. */
const answered = ({ headers, status, text }: Answer) => ({
  status,
  text: text.replaceAll(/req_[0-9a-f]{24}/gu, "req"),
  headers: [...headers].filter(
    ([name]) => !["x-request-id", "date", "x-ratelimit-remaining", "x-ratelimit-reset"].includes(name)
  )
})

layer(Ports, { timeout: 60_000 })("another business's id", (it) => {
  it.effect("in a path answers as an absent one, and nothing is written", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const [own, other] = [yield* tenant(wire), yield* tenant(wire)]
      const body = bodies(own.ids)
      const ask = ({ method, name, path, serves }: (typeof routes)[number], ids: Ids) => {
        const params = paramsOf(path)
        const filled = params.reduce((path, { of, param }) => {
          const kind = kinds[of]
          assert.isDefined(kind, `${name}: what is ${of}/${param}?`)
          return kind === undefined ? path : path.replace(param, String(ids[kind]))
        }, path)
        const credentials: Partial<Record<Serves, string>> = {
          driver: own.driverSession,
          userForBusiness: own.token
        }
        return wire.send(method, `${filled}${requiredQueries[name] ?? ""}`, {
          credential: (serves && credentials[serves]) ?? own.key,
          ...(method === "GET" ? {} : { body: body[name] ?? {} })
        })
      }
      const before = yield* everything
      assert.isAbove(routesWithIds.length, 30)
      for (const route of routesWithIds) {
        const missing = yield* ask(route, absent)
        refusedAs(missing, 404, "not_found")
        assert.notStrictEqual(missing.body.error?.message, "No such route", route.name)
        assert.deepStrictEqual(answered(yield* ask(route, other.ids)), answered(missing), route.name)
        // Of several ids in a path, also the last one alone.
        if (paramsOf(route.path).length > 1) {
          const { creditNote, delivery, payment } = absent
          const last = { ...own.ids, creditNote, delivery, payment }
          const foreign = {
            ...own.ids,
            creditNote: other.ids.creditNote,
            delivery: other.ids.delivery,
            payment: other.ids.payment
          }
          assert.deepStrictEqual(
            answered(yield* ask(route, foreign)),
            answered(yield* ask(route, last)),
            route.name
          )
        }
      }
      assert.deepStrictEqual(yield* everything, before)
    })
  )

  it("is looked for in every field of the contract that names a record", () => {
    assert.sameMembers(Object.keys(references), referencesOfContract())
  })

  it.effect("in a body or a query answers as an absent one, and nothing is written", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const [own, other] = [yield* tenant(wire), yield* tenant(wire)]
      const before = yield* everything
      for (const [field, request] of Object.entries(references)) {
        const [method = ""] = field.split(" ")
        const ask = (named: Ids) => {
          const [path, body] = request(own.ids, named)
          return wire.send(method, path, { credential: own.key, ...(body === undefined ? {} : { body }) })
        }
        const missing = yield* ask(absent)
        if (method !== "GET") {
          const details = refusedAs(missing, 422, "invalid_request")
          assert.deepStrictEqual(
            details?.map(({ issue }) => issue),
            ["not_found"],
            field
          )
        }
        assert.deepStrictEqual(answered(yield* ask(other.ids)), answered(missing), field)
      }
      assert.deepStrictEqual(yield* everything, before)
    })
  )

  it.effect("is in no list, and no stream of events", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const [own, other] = [yield* tenant(wire), yield* tenant(wire)]
      const lists = routes.filter(
        ({ method, path, serves }) => method === "GET" && serves === "business" && !path.includes(":")
      )
      assert.isAbove(lists.length, 7)
      for (const { name, path } of lists) {
        const query = name === "GET /drivers/free" ? "?from=2026-12-24T00:00:00Z&to=2026-12-25T00:00:00Z" : ""
        const { status, text } = yield* wire.send("GET", `${path}${query}`, { credential: own.key })
        assert.strictEqual(status, 200, `${name}: ${text}`)
        for (const kind of [
          "car",
          "driver",
          "customer",
          "trip",
          "invoice",
          "product",
          "booking",
          "endpoint",
          "delivery"
        ] as const)
          assert.notMatch(
            text,
            new RegExp(`"${kind}_id":${other.ids[kind]}\\b`, "u"),
            `${name}: another's ${kind}`
          )
      }
    })
  )

  it.effect("is refused by the database itself, in every key between the tables of businesses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const wire = yield* openWire()
      const [own, other] = [yield* tenant(wire), yield* tenant(wire)]
      const keys = yield* sql<{
        readonly name: string
        readonly child: string
        readonly parent: string
        readonly columns: ReadonlyArray<string>
        readonly targets: ReadonlyArray<string>
      }>`
        SELECT c.conname AS name, c.conrelid::regclass::text AS child, c.confrelid::regclass::text AS parent,
               array_agg(a.attname::text ORDER BY pair.place) AS columns,
               array_agg(b.attname::text ORDER BY pair.place) AS targets
        FROM pg_constraint c,
             unnest(c.conkey, c.confkey) WITH ORDINALITY AS pair (of_child, of_parent, place)
             JOIN LATERAL (SELECT attname FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = of_child) a ON true
             JOIN LATERAL (SELECT attname FROM pg_attribute WHERE attrelid = c.confrelid AND attnum = of_parent) b ON true
        WHERE c.contype = 'f' AND c.confrelid <> 'businesses'::regclass
          -- Of a payment, a check refuses the update below before the key between payments does.
          AND (c.conrelid <> c.confrelid OR c.conrelid = 'trips'::regclass)
          AND (SELECT count(DISTINCT relation) FROM unnest(ARRAY[c.conrelid, c.confrelid]) AS relation)
            = (SELECT count(*) FROM pg_attribute
               WHERE attrelid IN (c.conrelid, c.confrelid) AND attname = 'business_id' AND NOT attisdropped)
        GROUP BY c.oid ORDER BY 2, 1`
      assert.isAbove(keys.length, 15)
      const columns = yield* sql<{ name: string }>`
        SELECT c.table_name || '.' || c.column_name AS name
        FROM information_schema.columns c JOIN information_schema.columns b USING (table_schema, table_name)
        WHERE c.table_schema = 'public' AND b.column_name = 'business_id' AND c.table_name <> 'businesses'
          AND c.column_name LIKE '%\\_id' AND c.column_name <> 'business_id' AND c.is_identity = 'NO'
          AND coalesce(c.column_default, '') NOT LIKE 'nextval%'
          AND to_regclass(c.table_name) NOT IN (SELECT oid FROM pg_class WHERE relkind = 'p')`
      const kept = new Set(
        keys.flatMap(({ child, columns }) => columns.map((column) => `${child}.${column}`))
      )
      assert.sameMembers(
        columns.map(({ name }) => name).filter((name) => !kept.has(name)),
        unbound
      )
      for (const { child, columns, name, parent, targets } of keys) {
        const place = columns.indexOf("business_id")
        assert.isAtLeast(place, 0, name)
        assert.strictEqual(targets[place], "business_id", name)
        const column = columns.find((it) => it !== "business_id") ?? ""
        const target = targets[columns.indexOf(column)] ?? ""
        const [foreign] = yield* sql`
          SELECT ${sql(target)} AS id FROM ${sql(parent)} WHERE business_id = ${other.businessId} LIMIT 1`
        assert.isDefined(foreign, `a row of ${parent} to point at`)
        const [row] = yield* sql`SELECT FROM ${sql(child)} WHERE business_id = ${own.businessId} LIMIT 1`
        assert.isDefined(row, `a row of ${child} that could point there`)
        // Without the trigger that keeps the ledger from being changed at all.
        const moved = Effect.andThen(
          sql`ALTER TABLE ${sql(child)} DISABLE TRIGGER USER`,
          sql`
            UPDATE ${sql(child)} SET ${sql(column)} = ${foreign?.["id"]}
            WHERE ctid = (SELECT ctid FROM ${sql(child)} WHERE business_id = ${own.businessId} LIMIT 1)`
        )
        const refused = yield* Effect.flip(sql.withTransaction(moved))
        assert.strictEqual(constraintOf(refused), name)
      }
    })
  )
})

/** The name of the constraint that refused, as the driver tells it. */
const constraintOf = (error: SqlError.SqlError): unknown => {
  let cause: unknown = error.cause
  while (typeof cause === "object" && cause !== null) {
    if ("constraint" in cause) return cause.constraint
    cause = "cause" in cause ? cause.cause : undefined
  }
  return undefined
}
