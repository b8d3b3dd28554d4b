import { assert, describe, it } from "@effect/vitest"
import { listOf, objectOf, textOf } from "@livery/contract"

import {
  document,
  operations,
  ofApi,
  schemas,
  objects,
  everything,
  bodyOf,
  propertyOf,
  textWithSchemas
} from "./ApiDocument.ts"

/** The patterns of whole numbers in an address, which say nothing of a number to a generated client. */
const numbersInTexts = [String.raw`^-?\d{1,19}$`, String.raw`^[1-9]\d{0,18}$`]

describe("the fields of the OpenAPI document", () => {
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
    for (const [at, schema] of times) {
      const { format, pattern } = objectOf(listOf(schema["anyOf"])[0] ?? schema)
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
