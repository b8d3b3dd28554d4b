import { listOf, objectOf, textOf } from "@livery/contract"
import { EmittedEventType } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { document, everything, ofApi, schemas } from "./ApiDocument.ts"

const referred = (schema: unknown) => schemas[textOf(objectOf(schema)["$ref"]).split("/").at(-1) ?? ""]

describe("what generated clients tell apart", () => {
  it("an event of the feed is a union by `type`, with the record of each type as its data", () => {
    const list = objectOf(objectOf(schemas["EventListBody"])["properties"])
    assert.deepStrictEqual(objectOf(list["data"])["items"], { $ref: "#/components/schemas/Event" })
    const { discriminator, oneOf } = objectOf(schemas["Event"])
    const mapping = objectOf(objectOf(discriminator)["mapping"])
    assert.strictEqual(objectOf(discriminator)["propertyName"], "type")
    assert.deepStrictEqual(Object.keys(mapping), [...EmittedEventType.literals])
    assert.deepStrictEqual(
      listOf(oneOf).map((choice) => objectOf(choice)["$ref"]),
      Object.values(mapping)
    )
    for (const [type, $ref] of Object.entries(mapping)) {
      const properties = objectOf(objectOf(referred({ $ref }))["properties"])
      assert.deepStrictEqual(objectOf(properties["type"])["enum"], [type])
      const data = objectOf(properties["data"])
      assert.isNotEmpty(objectOf(objectOf(referred(data))["properties"] ?? data["properties"]), type)
    }
  })

  it("a delivered event has the same schema as in the feed, and its headers", () => {
    const mapping = objectOf(objectOf(objectOf(schemas["Event"])["discriminator"])["mapping"])
    for (const [type, item] of Object.entries(objectOf(document["webhooks"]))) {
      const { parameters, requestBody } = objectOf(objectOf(item)["post"])
      const media = objectOf(objectOf(objectOf(requestBody)["content"])["application/json"])
      assert.deepStrictEqual(media["schema"], { $ref: mapping[type] }, type)
      assert.lengthOf(listOf(parameters), 3, type)
    }
  })

  it("each error has a type of its own, a message and the field `details`", () => {
    const errors = Object.entries(schemas).filter(([name]) => name.endsWith("Error"))
    assert.isAbove(errors.length, 20)
    for (const [name, schema] of errors) {
      const { properties } = objectOf(objectOf(objectOf(schema)["properties"])["error"])
      assert.includeMembers(Object.keys(objectOf(properties)), ["type", "message", "details"], name)
      assert.lengthOf(listOf(objectOf(objectOf(properties)["type"])["enum"]), 1, name)
    }
  })

  it("each enumeration says what its values mean", () => {
    for (const [at, { description, enum: values }] of everything)
      if (listOf(values).length > 1) assert.isNotEmpty(textOf(description), `${at}: ${String(values)}`)
  })

  it("each operation has an id of a group and a method, and no two share one", () => {
    const ids = ofApi.map(({ operation }) => textOf(operation["operationId"]))
    for (const id of ids) assert.match(id, /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/u)
    assert.strictEqual(new Set(ids).size, ids.length)
  })
})
