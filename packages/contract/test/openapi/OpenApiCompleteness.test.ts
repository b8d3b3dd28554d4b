import { assert, describe, it } from "@effect/vitest"
import { isObject, objectOf, textOf } from "@livery/contract"

import {
  operations,
  declaringNotFound,
  ofApi,
  schemas,
  everything,
  jsonOf,
  propertyOf
} from "./ApiDocument.ts"

describe("the OpenAPI document", () => {
  it("forbids no field, so that records may gain some", () => {
    for (const [at, { additionalProperties }] of everything)
      assert.notStrictEqual(additionalProperties, false, at)
  })

  it("describes each filter of trips, with an example unless its values differ between lists", () => {
    for (const path of ["/api/v1/trips", "/api/v1/dispatch/trips"]) {
      const { parameters = [] } = ofApi.find(({ name }) => name === `GET ${path}`) ?? {}
      const filters = parameters.filter(
        ({ in: place, name }) =>
          place === "query" && !["page", "per_page", "cursor", "from", "to"].includes(textOf(name))
      )
      assert.isAtLeast(filters.length, 12)
      for (const { description, example, name } of filters) {
        assert.isNotEmpty(textOf(description), textOf(name))
        if (name !== "status") assert.isDefined(example, textOf(name))
      }
    }
  })

  it("describes a filter by its schema where a list uses the name in another sense", () => {
    const descriptionOf = (path: string, filter: string) => {
      const { parameters = [] } = ofApi.find(({ name }) => name === `GET ${path}`) ?? {}
      return textOf(parameters.find(({ name }) => name === filter)?.["description"])
    }
    for (const path of ["/api/v1/admin/businesses", "/api/v1/admin/users"]) {
      assert.match(descriptionOf(path, "search"), /^A part of the name/u)
      assert.notInclude(descriptionOf(path, "search"), "beginning")
    }
    assert.match(descriptionOf("/api/v1/invoices", "search"), /beginning of a number/u)
    assert.match(descriptionOf("/api/v1/trips", "search"), /the beginning of a word/u)
    for (const filter of ["date_from", "date_to"])
      assert.notMatch(
        descriptionOf("/api/v1/drivers/{id}/availability", filter),
        /booking|quote|as `date_from`/u
      )
    assert.match(descriptionOf("/api/v1/drivers/free", "vehicle_class"), /^Drivers /u)
    assert.match(descriptionOf("/api/v1/trips", "updated_since"), /^Trips that were changed/u)
  })

  it("names the driver's token as a parameter where it is the credential", () => {
    let count = 0
    for (const { name, operation, parameters } of operations) {
      const takesToken = JSON.stringify(operation["security"]).includes("driver_token")
      if (takesToken) count += 1
      assert.strictEqual(
        parameters.some((it) => it["name"] === "token" && it["in"] === "query" && it["required"] === true),
        takesToken,
        name
      )
    }
    assert.isAbove(count, 0)
  })

  it("has an example for every JSON body, and a description for each operation", () => {
    for (const { name, operation, responses } of operations) {
      assert.isAbove(textOf(operation["description"]).length, 20, name)
      for (const [label, body] of [["request", operation["requestBody"]], ...responses] as const) {
        const media = jsonOf(body)
        if (media["schema"] !== undefined) assert.property(media, "example", `${name} ${label}`)
      }
    }
  })

  it("has a schema for each record, which bodies refer to", () => {
    for (const name of ["Trip", "Car", "Driver", "Customer", "Endpoint", "Delivery", "User", "Settings"]) {
      assert.isTrue(isObject(objectOf(schemas[name])["properties"]), name)
      assert.include(JSON.stringify(schemas[`${name}Body`]), `"#/components/schemas/${name}"`)
    }
    const { items } = objectOf(objectOf(objectOf(schemas["TripListBody"])["properties"])["data"])
    assert.deepStrictEqual(items, { $ref: "#/components/schemas/Trip" })
  })

  it("has the rate limit's headers in every response of the API", () => {
    for (const { name, responses } of ofApi)
      for (const [status, response] of responses) {
        const headers = Object.keys(objectOf(response["headers"]))
        for (const header of ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"])
          assert.include(headers, header, `${name} ${status}`)
        if (status === "429") assert.include(headers, "Retry-After", name)
      }
  })

  it("lists 304 and `If-None-Match` where a GET has an `ETag`, and only there", () => {
    const tagged = ofApi.filter(({ name, responses }) =>
      responses.some(
        ([status, { headers }]) => name.startsWith("GET ") && status === "200" && "etag" in objectOf(headers)
      )
    )
    assert.isAbove(tagged.length, 5)
    for (const route of ofApi) {
      const statuses = route.responses.map(([status]) => status)
      const parameters = route.parameters.map(({ name }) => name)
      assert.strictEqual(statuses.includes("304"), tagged.includes(route), route.name)
      assert.strictEqual(parameters.includes("If-None-Match"), tagged.includes(route), route.name)
      for (const [status, { headers }] of route.responses)
        if (status === "304") assert.property(objectOf(headers), "etag", route.name)
    }
  })

  it("lists `Idempotency-Replayed` in the stored responses of routes that take an `Idempotency-Key`, and only there", () => {
    for (const { name, parameters, responses } of ofApi) {
      const repeats = parameters.some((one) => one["name"] === "Idempotency-Key")
      for (const [status, { headers }] of responses)
        assert.strictEqual(
          Object.hasOwn(objectOf(headers), "Idempotency-Replayed"),
          repeats && ["200", "201", "402", "404", "409", "422"].includes(status),
          `${name} ${status}`
        )
    }
  })

  it.each([
    ["POST /api/v1/trips", "customer_name", "Required unless `customer_id` is sent."],
    ["POST /api/v1/quotes", "customer_name", "Required unless `customer_id` is sent."],
    ["POST /api/v1/trips/{id}/drivers", "driver_ids", "Required unless `assignments` is sent."],
    [
      "PATCH /api/v1/trips/{id}/driver-status",
      "status",
      "Required unless `milestone`, `undo` or `accepted` is sent."
    ],
    [
      "PATCH /api/v1/me/driver/trips/{id}",
      "status",
      "Required unless `milestone`, `undo` or `accepted` is sent."
    ],
    ["POST /api/v1/driver/status", "status", "Required unless `milestone`, `undo` or `accepted` is sent."],
    ["POST /api/v1/invoices", "items", "Required unless `trip_ids` is sent; each trip then gets a line."],
    [
      "POST /api/v1/trips/{id}/fare",
      "vehicle_class",
      "Required unless the trip has a `vehicle_class`, which is the default."
    ]
  ])("the body of %s says when its field %s is required", (name, field, sentence) => {
    assert.include(JSON.stringify(propertyOf(name, field)), JSON.stringify(sentence).slice(1, -1))
  })

  it("lists 405 everywhere, 413 and 415 where there is a body, and 404 only where it can happen", () => {
    for (const { name, operation, path, responses } of ofApi) {
      const statuses = responses.map(([status]) => status)
      const hasBody = operation["requestBody"] !== undefined
      assert.include(statuses, "405", name)
      assert.strictEqual(statuses.includes("413"), hasBody, name)
      assert.strictEqual(statuses.includes("415"), hasBody, name)
      if (path.includes("{id}")) assert.include(statuses, "404", name)
    }
    const withoutId = operations.filter(
      ({ path, responses }) => !path.includes("{") && responses.some(([status]) => status === "404")
    )
    assert.sameMembers(
      withoutId.map(({ name }) => name),
      declaringNotFound.filter((name) => !name.includes("{"))
    )
    assert.include(declaringNotFound, "DELETE /api/v1/business/members/invitations")
  })

  it("describes the headers of the responses that have some of their own", () => {
    const headersOf = (name: string, status: string) => {
      const route = operations.find((one) => one.name === name)
      const response = route?.responses.find(([one]) => one === status)?.[1]
      return Object.keys(objectOf(response?.["headers"]))
    }
    for (const { name, responses } of ofApi)
      if (responses.some(([status]) => status === "401"))
        assert.include(headersOf(name, "401"), "WWW-Authenticate", name)
    for (const name of [
      "GET /api/v1/invoices/{id}/pdf",
      "GET /api/v1/invoices/{id}/credit-notes/{credit_note_id}/pdf"
    ]) {
      assert.includeMembers(headersOf(name, "200"), [
        "Content-Disposition",
        "X-Missing-Characters",
        "X-Electronic-Invoice",
        "X-Electronic-Invoice-Faults"
      ])
      assert.notInclude(headersOf(name, "404"), "Content-Disposition", name)
    }
    for (const [name, status] of [
      ["GET /health/live", "200"],
      ["GET /health/ready", "200"],
      ["GET /health/ready", "503"]
    ] as const)
      assert.include(headersOf(name, status), "X-Request-Id", `${name} ${status}`)
  })
})
