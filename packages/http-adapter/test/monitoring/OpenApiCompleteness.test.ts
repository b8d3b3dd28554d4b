import { Api } from "@livery/http-adapter"
import { assert, describe, it } from "@effect/vitest"
import { HttpApi, OpenApi } from "effect/http-api"
import { isObject, type Json, listOf, objectOf, textOf } from "../../src/openapi/Json.ts"

const document: Json = objectOf(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))

const operations = Object.entries(objectOf(document["paths"])).flatMap(([path, item]) =>
  Object.entries(objectOf(item)).map(([method, operation]) => ({
    path,
    name: `${method.toUpperCase()} ${path}`,
    operation: objectOf(operation),
    parameters: listOf(objectOf(operation)["parameters"]).map(objectOf),
    responses: Object.entries(objectOf(objectOf(operation)["responses"])).map(
      ([status, response]) => [status, objectOf(response)] as const
    )
  }))
)

/** The routes that declare 404 as an error of their own. */
const declaringNotFound: Array<string> = []
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => {
    const path = endpoint.path.replace(/(?<=.)\/$/u, "").replaceAll(/:(\w+)/gu, "{$1}")
    if ([...endpoint.error].some(({ ast }) => ast.context?.annotations?.["httpApiStatus"] === 404))
      declaringNotFound.push(`${endpoint.method} ${path}`)
  }
})

const ofApi = operations.filter(({ path }) => path.startsWith("/api/v1/"))

const schemas = objectOf(objectOf(document["components"])["schemas"])

/** Every object of the document outside of examples, with its place. */
const objects = (value: unknown, at = "#"): ReadonlyArray<readonly [string, Json]> => {
  if (Array.isArray(value)) return value.flatMap((item, index) => objects(item, `${at}/${index}`))
  if (!isObject(value)) return []
  return [
    [at, value],
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === "example" ? [] : objects(inner, `${at}/${key}`)
    )
  ]
}

const everything = objects(document)

const jsonOf = (body: unknown) => objectOf(objectOf(objectOf(body)["content"])["application/json"])

/** The schema of the JSON body of a route. */
const bodyOf = (name: string): Json => {
  const route = operations.find((one) => one.name === name)
  const { schema } = jsonOf(objectOf(route?.operation)["requestBody"])
  const reference = textOf(objectOf(schema)["$ref"])
  return objectOf(reference === "" ? schema : schemas[reference.slice(reference.lastIndexOf("/") + 1)])
}

/** The schema of a field of the JSON body of a route. */
const propertyOf = (name: string, field: string) => objectOf(objectOf(bodyOf(name)["properties"])[field])

/** A schema as JSON, with the schemas that it refers to in place of the references. */
const textWithSchemas = (schema: unknown): string =>
  JSON.stringify(schema).replaceAll(
    /\{"\$ref":"#\/components\/schemas\/(?<name>\w+)"\}/gu,
    (_match, name: string) => textWithSchemas(schemas[name])
  )

/** The patterns of whole numbers in an address, which say nothing of a number to a generated client. */
const numbersInTexts = [String.raw`^-?\d{1,19}$`, String.raw`^[1-9]\d{0,18}$`]

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

  it("describes ids and other integers as integers with bounds, and ids start at 1", () => {
    for (const [at, schema] of everything) {
      assert.isUndefined(schema["x-integer"], at)
      if (/\/(?:\w+_)?id$/u.test(at) && schema["type"] === "integer")
        assert.strictEqual(schema["minimum"], 1, at)
      assert.notInclude(numbersInTexts, textOf(schema["pattern"]), at)
    }
    for (const { name, parameters } of operations)
      for (const parameter of parameters) {
        const label = `${name} ${String(parameter["name"])}`
        const { maximum, minimum, type } = objectOf(parameter["schema"])
        if (parameter["in"] === "path" && textOf(parameter["name"]).endsWith("id"))
          assert.deepStrictEqual([type, minimum], ["integer", 1], label)
        const isText = parameter["name"] === "group_id"
        if (parameter["in"] === "query" && textOf(parameter["name"]).endsWith("_id") && !isText)
          assert.deepStrictEqual([type, minimum], ["integer", 1], label)
        if (type === "integer" && parameter["in"] !== "header")
          assert.deepStrictEqual([typeof minimum, typeof maximum], ["number", "number"], label)
      }
  })

  it("has a format for each time, but for `pickup_at`, which is a local time", () => {
    const times = everything.filter(
      ([at, schema]) =>
        /\/properties\/(?:\w+_(?:at|on)|trip_date)$/u.test(at) &&
        !at.endsWith("/pickup_at") &&
        JSON.stringify(schema).includes('"string"')
    )
    assert.isAbove(times.length, 50)
    for (const [at, schema] of times) assert.match(JSON.stringify(schema), /"format":"date(?:-time)?"/u, at)
  })

  it("describes local times as `YYYY-MM-DD HH:MM:SS`, and its examples have that form", () => {
    const times = everything.filter(([at]) => /\/properties\/(?:pickup_at|pickup_local)$/u.test(at))
    assert.isAtLeast(times.length, 8)
    for (const [at, { format, pattern }] of times) {
      assert.isUndefined(format, at)
      assert.match("2028-02-09 15:34:04", new RegExp(textOf(pattern), "u"), at)
      assert.notMatch("2028-02-09T15:34:04Z", new RegExp(textOf(pattern), "u"), at)
    }
    const examples = [...JSON.stringify(document).matchAll(/"pickup_(?:at|local)":"(?<example>[^"]*)"/gu)]
    assert.isAtLeast(examples.length, 8)
    for (const { groups } of examples)
      assert.match(groups?.["example"] ?? "", /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/u)
  })

  it("describes `trip_date` by the formats that it accepts", () => {
    const { properties } = objectOf(schemas["TripsCreateInput"])
    const { anyOf, description } = objectOf(objectOf(properties)["trip_date"])
    assert.match(String(description), /Without an offset/u)
    const patterns = listOf(anyOf).flatMap((it) => {
      const { pattern } = objectOf(it)
      return typeof pattern === "string" ? [new RegExp(pattern, "u")] : []
    })
    for (const accepted of [
      "2026-12-24T18:00:00Z",
      "2026-12-24T18:00",
      "2026-12-24 18:00:30.5",
      "2026-12-24T18:00+0100"
    ])
      assert.isTrue(
        patterns.some((pattern) => pattern.test(accepted)),
        accepted
      )
    for (const refused of ["2026-12-24", "tomorrow"])
      assert.isFalse(
        patterns.some((pattern) => pattern.test(refused)),
        refused
      )
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

  it("promises no `uri` in a response, because the stored address may have any characters", () => {
    const promised = everything.flatMap(([at, { format }]) =>
      format === "uri" && !/Input\b/u.test(at) ? [at] : []
    )
    assert.deepStrictEqual(promised, [])
  })

  it("a tariff requires its classes, at least one, and a change of the classes has at least one", () => {
    assert.include(listOf(bodyOf("POST /api/v1/tariffs")["required"]), "classes")
    for (const name of ["POST /api/v1/tariffs", "PATCH /api/v1/tariffs/{id}"])
      assert.deepInclude(propertyOf(name, "classes"), { type: "array", minItems: 1, maxItems: 7 }, name)
  })

  it.each([
    ["POST /api/v1/trips", "customer_name", "Required unless `customer_id` is sent."],
    ["POST /api/v1/quotes", "customer_name", "Required unless `customer_id` is sent."],
    ["POST /api/v1/trips/{id}/drivers", "driver_ids", "Required unless `assignments` is sent."],
    ["PATCH /api/v1/trips/{id}/driver-status", "status", "Required unless `milestone` is sent."],
    ["PATCH /api/v1/me/driver/trips/{id}", "status", "Required unless `milestone` is sent."],
    ["POST /api/v1/driver/status", "status", "Required unless `milestone` is sent."],
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

  it("an invoice's tax may be negative, because a deduction may have the higher rate", () => {
    const taxes = everything.flatMap(([at, schema]) => {
      const { amount_credited, tax_total } = objectOf(schema["properties"])
      return amount_credited === undefined || tax_total === undefined
        ? []
        : [[at, objectOf(tax_total)] as const]
    })
    assert.isAtLeast(taxes.length, 2)
    for (const [at, { minimum }] of taxes) assert.isUndefined(minimum, at)
  })

  it("the amount of a payment or a refund is above zero", () => {
    for (const path of ["/api/v1/invoices/{id}/payments", "/api/v1/bookings/{id}/payments"])
      assert.strictEqual(propertyOf(`POST ${path}`, "amount")["exclusiveMinimum"], 0, path)
    const refunds = ofApi.filter(({ name }) => name.startsWith("POST ") && name.endsWith("/refund"))
    assert.isAtLeast(refunds.length, 1)
    for (const { name } of refunds)
      assert.include(JSON.stringify(propertyOf(name, "amount")), '"exclusiveMinimum":0', name)
  })

  it("states the largest amount of money that the server takes, wherever a body has one", () => {
    for (const [name, field, maximum] of [
      ["POST /api/v1/trips", "total_amount", 1e10],
      ["PATCH /api/v1/trips/{id}", "total_amount", 1e10],
      ["POST /api/v1/products", "price", 1e10],
      ["POST /api/v1/invoices", "unit_price", 1e10],
      ["POST /api/v1/invoices/{id}/payments", "amount", 1e10],
      ["POST /api/v1/invoices/{id}/payments/{payment_id}/refund", "amount", 1e10],
      ["POST /api/v1/tariffs", "amount", 1e7]
    ] as const) {
      const found = objects(JSON.parse(textWithSchemas(bodyOf(name)))).filter(([at]) =>
        at.endsWith(`/properties/${field}`)
      )
      assert.isAbove(found.length, 0, name)
      for (const [at, schema] of found)
        assert.include(JSON.stringify(schema), `"maximum":${maximum}`, `${name} ${at}`)
    }
  })

  it("states the form of the ids of a tariff's rules and of the tokens of devices", () => {
    const ids = objects(JSON.parse(textWithSchemas(bodyOf("POST /api/v1/tariffs")))).filter(([at]) =>
      at.endsWith("/properties/id")
    )
    assert.isAtLeast(ids.length, 10)
    for (const [at, schema] of ids) {
      const [, pattern] = /"pattern":"(?<pattern>[^"]+)"/u.exec(JSON.stringify(schema)) ?? []
      assert.isDefined(pattern, at)
      assert.match("airport-fee_1.5", new RegExp(pattern ?? "", "u"), at)
      for (const refused of ["Airport", "-a", "a b", "a:b"])
        assert.notMatch(refused, new RegExp(pattern ?? "", "u"), at)
    }
    for (const name of ["POST /api/v1/me/devices", "DELETE /api/v1/me/devices"]) {
      const pattern = new RegExp(textOf(propertyOf(name, "device_token")["pattern"]), "u")
      assert.match("fcm:APA91b~!", pattern, name)
      for (const refused of ["with space", "ä", ""]) assert.notMatch(refused, pattern, name)
    }
  })

  it("an email address may have letters outside of ASCII", () => {
    for (const [at, { format }] of everything) assert.notStrictEqual(format, "email", at)
    assert.strictEqual(propertyOf("POST /api/v1/auth/register", "email")["format"], "idn-email")
  })
})
