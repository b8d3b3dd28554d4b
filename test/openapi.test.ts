import type { AssignmentRecord, CreatedEndpointRecord, DriverRecord, TripRecord } from "@livery/domain"
import { documentedOperations } from "@livery/contract"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { disagreements, resolveReference, type JsonSchema } from "./support/JsonSchema.ts"
import { codeFor } from "./support/Mail.ts"
import { receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: JsonSchema
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
      }
    >
  >
}

interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, object>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: Readonly<
      Record<string, { readonly type: string; readonly scheme?: string; readonly in?: string }>
    >
  }
}

/** The routes that a business cannot do without: who each is for, and the status of its success. */
const contract = {
  "POST /api/v1/auth/register": ["nobody", "201"],
  "POST /api/v1/auth/verify-email": ["nobody", "200"],
  "POST /api/v1/auth/login": ["nobody", "200"],
  "GET /api/v1/me": ["user_token", "200"],
  "POST /api/v1/me/api-keys": ["user_token", "201"],
  "GET /api/v1/ping": ["business_credential", "200"],
  "GET /api/v1/business": ["business_credential", "200"],
  "GET /api/v1/trips": ["business_credential", "200"],
  "POST /api/v1/trips": ["business_credential", "201"],
  "GET /api/v1/trips/{id}": ["business_credential", "200"],
  "PATCH /api/v1/trips/{id}": ["business_credential", "200"],
  "POST /api/v1/trips/{id}/drivers": ["business_credential", "200"],
  "PATCH /api/v1/trips/{id}/driver-status": ["business_credential", "200"],
  "GET /api/v1/trips/{id}/timeline": ["business_credential", "200"],
  "GET /api/v1/dispatch/trips": ["business_credential", "200"],
  "GET /api/v1/drivers/locations": ["business_credential", "200"],
  "POST /api/v1/cars": ["business_credential", "201"],
  "POST /api/v1/drivers": ["business_credential", "201"],
  "POST /api/v1/customers": ["business_credential", "201"],
  "GET /api/v1/driver/trip": ["driver_token", "200"],
  "POST /api/v1/driver/location": ["driver_token", "200"],
  "GET /api/v1/settings/business": ["business_credential", "200"],
  "GET /api/v1/meta/state-machines": ["nobody", "200"],
  "POST /api/v1/webhooks": ["business_credential", "201"],
  "GET /api/v1/webhooks/{id}/deliveries": ["business_credential", "200"],
  "GET /health/live": ["nobody", "200"],
  "GET /health/ready": ["nobody", "200"]
} as const

type Route = keyof typeof contract

const routes = Object.keys(contract) as ReadonlyArray<Route>

describe("openapi.json", () => {
  let place: Installation
  let server: Server
  let account: Account
  let document: Document
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
    const response = await fetch(`${server.address}/openapi.json`)
    assert.strictEqual(response.status, 200)
    assert.match(String(response.headers.get("content-type")), /^application\/json/u)
    document = (await response.json()) as Document
  })
  afterAll(() => place.remove())

  const operations = () =>
    documentedOperations(document).map(
      ({ method, operation, path }) => [`${method} ${path}`, operation as unknown as Operation] as const
    )
  const operationOf = (route: Route): Operation => {
    const operation = operations().find(([name]) => name === route)?.[1]
    assert.isDefined(operation, route)
    return operation
  }

  it("is an OpenAPI 3.1 document without broken references", () => {
    assert.match(document.openapi, /^3\.1\.\d+$/u)
    assert.strictEqual(document.info.title, "Livery")
    assert.strictEqual(document.info.version, "1.0.0")
    const references = JSON.stringify(document).matchAll(/"\$ref":"(?<ref>[^"]+)"/gu)
    const dangling = [...references]
      .map(({ groups }) => groups?.["ref"] ?? "")
      .filter((ref) => !ref.startsWith("#/") || resolveReference(document, ref) === undefined)
    assert.deepStrictEqual(dangling, [])
  })

  const callersOf = ({ security }: Operation) => {
    const schemes = security.flatMap((requirement) => Object.keys(requirement))
    return schemes.length === 0 ? "nobody" : schemes.join(" or ")
  }

  it("lists every route of the contract with its security", () => {
    for (const route of routes) assert.strictEqual(callersOf(operationOf(route)), contract[route][0], route)
    const { driver_token, ...bearers } = document.components.securitySchemes
    assert.deepInclude(driver_token, { type: "apiKey", in: "query" })
    for (const { scheme, type } of Object.values(bearers))
      assert.deepStrictEqual([type, scheme?.toLowerCase()], ["http", "bearer"])
  })

  it("requires a credential on all routes but public ones, and uses only described credentials", () => {
    const known = ["nobody", ...Object.keys(document.components.securitySchemes)]
    for (const [route, operation] of operations()) {
      const callers = callersOf(operation)
      for (const caller of callers.split(" or ")) assert.include(known, caller, route)
      if (callers === "nobody") assert.match(route, /^[A-Z]+ \/(?:health|api\/v1\/(?:auth|public|meta))\//u)
    }
  })

  it("gives each operation an id of its own, a summary, and its path's parameters", () => {
    const ids = operations().map(([, { operationId }]) => operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const [route, { parameters, requestBody, summary }] of operations()) {
      assert.isNotEmpty(summary, route)
      const inPath = [...route.matchAll(/\{(?<name>[^}]+)\}/gu)].map(({ groups }) => groups?.["name"])
      const reported = parameters.filter((parameter) => parameter.in === "path")
      assert.deepStrictEqual(
        reported.map(({ name }) => name),
        inPath,
        route
      )
      assert.isTrue(
        reported.every(({ required }) => required),
        route
      )
      const isUpload = [
        "POST /api/v1/bank-statements",
        "POST /api/v1/imports",
        "POST /api/v1/imports/columns",
        "POST /api/v1/tariffs/{id}/import",
        "POST /api/v1/uploads"
      ].includes(route)
      const body = isUpload ? "multipart/form-data" : "application/json"
      if (requestBody !== undefined) assert.hasAllKeys(requestBody.content, [body], route)
    }
  })

  it("describes every response, and each error as the envelope with its type", () => {
    for (const [route, { responses }] of operations())
      for (const [status, { content, description }] of Object.entries(responses)) {
        assert.isNotEmpty(description, `${route} ${status}`)
        if (status === "304") {
          assert.isUndefined(content, `${route} has no body`)
          continue
        }
        const schema = (
          content?.["application/json"] ??
          content?.["text/event-stream"] ??
          content?.["application/pdf"] ??
          content?.["application/xml"] ??
          content?.["text/calendar"] ??
          content?.["text/csv"]
        )?.schema
        assert.isDefined(schema, `${route} ${status}`)
        if (status.startsWith("2") || status === "503") continue
        const wrong = disagreements(document, schema, { error: {}, meta: { request_id: "req_0" } })
        assert.isTrue(
          wrong.some((fault) => fault === "$.error.type is missing"),
          `${route} ${status}`
        )
      }
  })

  it("describes the actual responses: each success of each route agrees with its schema", async () => {
    const ears = await receiver()
    try {
      const { client } = account
      const anyone = clientOf(server.api)
      const person = clientOf(server.api, bearer(account.accessToken))
      const operator = clientOf(server.address)
      const newcomer = { email: "newcomer@cars.example", password: "long enough" }
      const registration = { ...newcomer, name: "New", business_name: "New Cars" }
      const registered = await anyone.post("/auth/register", registration)
      const code = await codeFor(place.directory, newcomer.email)
      const subscription = { url: ears.url, events: ["trip.created"] }
      const subscribed = await client.post<CreatedEndpointRecord>("/webhooks", subscription)
      const booked = await client.post<TripRecord>("/trips", trip())
      await ears.notice(() => true)
      const deliveries = `/webhooks/${subscribed.body.data.endpoint_id}/deliveries`
      const delivered = await vi.waitFor(
        async () => {
          const answer = await client.get(deliveries)
          assert.include(answer.text, '"delivered"')
          return answer
        },
        { timeout: 60_000, interval: 10 }
      )
      const job = `/trips/${booked.body.data.trip_id}`
      const hired = await client.post<DriverRecord>("/drivers", { name: "Grace Hopper" })
      const wanted = { driver_ids: [hired.body.data.driver_id] }
      const assigned = await client.post<AssignmentRecord>(`${job}/drivers`, wanted)
      const token = `?token=${assigned.body.data.drivers[0]?.driver_token ?? ""}`
      const underWay = await client.patch(`${job}/driver-status`, { status: "en_route" })
      const located = await anyone.post(`/driver/location${token}`, { lat: 47.45, lng: 8.56 })
      const answers = {
        "PATCH /api/v1/trips/{id}": await client.patch(job, { notes: "Gate 3" }),
        "POST /api/v1/trips/{id}/drivers": assigned,
        "PATCH /api/v1/trips/{id}/driver-status": underWay,
        "GET /api/v1/trips/{id}/timeline": await client.get(`${job}/timeline`),
        "GET /api/v1/dispatch/trips": await client.get("/dispatch/trips"),
        "GET /api/v1/drivers/locations": await client.get("/drivers/locations"),
        "POST /api/v1/cars": await client.post("/cars", { name: "Phantom", seats: 3 }),
        "POST /api/v1/drivers": hired,
        "POST /api/v1/customers": await client.post("/customers", { name: "Charles Babbage" }),
        "GET /api/v1/driver/trip": await anyone.get(`/driver/trip${token}`),
        "POST /api/v1/driver/location": located,
        "GET /api/v1/settings/business": await client.get("/settings/business"),
        "GET /api/v1/meta/state-machines": await anyone.get("/meta/state-machines"),
        "POST /api/v1/auth/register": registered,
        "POST /api/v1/auth/verify-email": await anyone.post("/auth/verify-email", { code }),
        "POST /api/v1/auth/login": await anyone.post("/auth/login", newcomer),
        "GET /api/v1/me": await person.get("/me"),
        "POST /api/v1/me/api-keys": await person.post("/me/api-keys"),
        "GET /api/v1/ping": await client.get("/ping"),
        "GET /api/v1/business": await client.get("/business"),
        "GET /api/v1/trips": await client.get("/trips"),
        "POST /api/v1/trips": booked,
        "GET /api/v1/trips/{id}": await client.get(`/trips/${booked.body.data.trip_id}`),
        "POST /api/v1/webhooks": subscribed,
        "GET /api/v1/webhooks/{id}/deliveries": delivered,
        "GET /health/live": await operator.get("/health/live"),
        "GET /health/ready": await operator.get("/health/ready")
      } satisfies Record<Route, unknown>
      for (const route of routes) {
        const answer = answers[route]
        const [, expected] = contract[route]
        assert.strictEqual(String(answer.status), expected, `${route}: ${answer.text}`)
        const schema = operationOf(route).responses[expected]?.content?.["application/json"]?.schema
        assert.isDefined(schema, route)
        assert.deepStrictEqual(disagreements(document, schema, answer.body), [], route)
      }
    } finally {
      await ears.close()
    }
  })

  it("names the required fields of each body", () => {
    const bodyOf = (route: Route) => {
      const schema = operationOf(route).requestBody?.content["application/json"]?.schema ?? {}
      return schema.$ref === undefined
        ? schema
        : (resolveReference(document, schema.$ref) as JsonSchema | undefined)
    }
    const requiredBy = (route: Route) => [...(bodyOf(route)?.required ?? [])].sort()
    assert.deepStrictEqual(
      bodyOf("POST /api/v1/trips")?.anyOf?.map(({ required }) => required),
      [["customer_name"], ["customer_id"]]
    )
    assert.deepStrictEqual(requiredBy("POST /api/v1/trips"), [
      "dropoff_address",
      "pickup_address",
      "trip_date"
    ])
    assert.deepStrictEqual(requiredBy("POST /api/v1/auth/register"), [
      "business_name",
      "email",
      "name",
      "password"
    ])
    assert.deepStrictEqual(requiredBy("POST /api/v1/webhooks"), ["events", "url"])
  })

  it("has a documentation page", async () => {
    const response = await fetch(`${server.address}/docs`)
    assert.strictEqual(response.status, 200)
    assert.match(String(response.headers.get("content-type")), /^text\/html/u)
    assert.include(await response.text(), "Livery")
  })
})
