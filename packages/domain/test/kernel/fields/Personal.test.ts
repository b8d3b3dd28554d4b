import { globSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { erasedOf, erasedText, Field, isPersonal, mustSay, personalNamesOf, Value } from "@livery/domain"
import { Schema } from "effect"

const sources = new URL("../../../src/", import.meta.url)

const isField = (value: unknown): value is Field.Field =>
  typeof value === "object" &&
  value !== null &&
  (["input", "change", "stored", "wire"] as const).some((form) => Schema.isSchema(Reflect.get(value, form)))

const isFields = (value: unknown): value is Field.Fields =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).length > 0 &&
  Object.values(value).every(isField)

/** Every exported list of fields of the domain, with the lists of the records in it. */
const everyRecord = async (): Promise<ReadonlyArray<readonly [string, Field.Fields]>> => {
  const files = globSync("**/*.ts", { cwd: sources })
  const modules = await Promise.all(
    files.map(
      async (file) => (await import(new URL(file, sources).href)) as Readonly<Record<string, unknown>>
    )
  )
  const withLists = (name: string, fields: Field.Fields): ReadonlyArray<readonly [string, Field.Fields]> => [
    [name, fields],
    ...Object.entries(fields).flatMap(([field, { itemFields }]) =>
      itemFields === undefined ? [] : withLists(`${name}.${field}`, itemFields)
    )
  ]
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (isFields(value) ? withLists(name, value) : []))
  )
}

describe("personal data", () => {
  it("Each field of each record says whose data it holds, unless its values can say nothing about a person", async () => {
    const records = await everyRecord()
    assert.includeMembers(
      records.map(([name]) => name),
      [
        "tripFields",
        "tripFields.stops",
        "customerFields",
        "quoteFields",
        "bookingFields",
        "driverFields",
        "userFields"
      ]
    )
    const silent = records.flatMap(([name, fields]) =>
      Object.entries(fields).flatMap(([field, declared]) =>
        mustSay(declared) && declared.person === undefined ? [`${name}.${field}`] : []
      )
    )
    assert.deepStrictEqual([...new Set(silent)], [])
  })

  it("A text that says nothing counts as personal, and a whole number does not", () => {
    assert.isTrue(isPersonal(Field.optional(Value.text(10))))
    assert.isTrue(isPersonal(Field.assigned(Value.latitude)))
    assert.isTrue(isPersonal(Field.internal({ stored: Schema.Array(Schema.String) })))
    assert.isFalse(isPersonal(Field.optional(Value.wholeNumber(1, 9))))
    assert.isFalse(isPersonal(Field.assigned(Value.instant)))
    assert.isFalse(isPersonal(Field.says({ person: "nobody" }, Field.optional(Value.text(10)))))
  })

  it("An erased field is null, empty, or says that it is erased", () => {
    const fields = {
      name: Field.required(Value.text(10)),
      phone: Field.optional(Value.text(10)),
      places: {
        ...Field.internal({ stored: Schema.Array(Schema.String) }),
        itemFields: { street: Field.required(Value.text(10)) }
      },
      reports: Field.says(
        { person: "nobody" },
        {
          ...Field.internal({ stored: Schema.Array(Schema.Int) }),
          itemFields: { lat: Field.assigned(Value.latitude) }
        }
      ),
      seats: Field.required(Value.wholeNumber(1, 9))
    }
    assert.deepStrictEqual(erasedOf(fields), { name: erasedText, phone: null, places: [] })
    assert.deepStrictEqual(personalNamesOf(fields), ["name", "phone", "places", "lat"])
  })
})
