import { assert, describe, it } from "@effect/vitest"
import { CarId, check, Field, Value } from "@livery/domain"
import { DateTime, Schema } from "effect"
import { decoded, issuesOf } from "../../support/Decoding.ts"

const Kind = Schema.Literals(["van", "bus"])

const Code = Schema.String.check(check<string>("invalid", (code) => /^[a-z]{2}$/u.test(code)))

const fields = {
  car_id: Field.assigned(Value.id(CarId)),
  secret: Field.internalOrNull(Value.unboundedText),
  code: Field.required(Value.checkedText(Code, { maxLength: 2 })),
  name: Field.required(Value.text(5)),
  plate: Field.optional(Value.text(5)),
  seats: Field.optional(Value.wholeNumber(1, 9)),
  kind: Field.optional(Value.oneOf(Kind)),
  active: Field.withDefault(Value.boolean, true),
  label: Field.computed(Schema.String),
  force: Field.flag(Schema.optionalKey(Schema.Boolean)),
  made_at: Field.assigned(Value.instant),
  sold_at: Field.assignedOrNull(Value.instant)
}

const Input = Field.inputOf(fields)
const Changes = Field.changesOf(fields)
const Stored = Field.storedOf(fields)
const Record = Field.recordOf(fields)
const encode = Field.encoderOf<typeof fields, string>(fields, {
  label: ({ name, plate }, separator) => `${name}${separator}${plate}`
})

const stored = {
  car_id: CarId.make(7),
  secret: "hush",
  code: "a long code",
  name: "a name that was stored under a wider bound",
  plate: null,
  seats: 50,
  kind: "van" as const,
  active: true,
  made_at: DateTime.makeUnsafe("2026-11-20T09:30:00.250Z"),
  sold_at: null
}

describe("a list of fields", () => {
  it("gives the body that creates the record: absent fields get their defaults, blank texts are null", () => {
    assert.deepStrictEqual(decoded(Input, { code: "ab", name: " Ada ", plate: "  " }), {
      code: "ab",
      name: "Ada",
      plate: null,
      seats: null,
      kind: null,
      active: true
    })
    assert.deepStrictEqual(issuesOf(Input, { code: "a1", plate: "too long", seats: 10, kind: "car" }), [
      "code invalid",
      "name required",
      "plate too_long",
      "seats out_of_range",
      "kind unknown_value"
    ])
    assert.isFalse(decoded(Input, { code: "ab", name: "Ada", active: false }).active)
  })

  it("gives the body that changes it: at least one field beside the flags; null clears", () => {
    assert.deepStrictEqual(decoded(Changes, { plate: null }), { plate: null })
    assert.deepStrictEqual(decoded(Changes, { active: false, force: true }), { active: false, force: true })
    for (const nothing of [{}, { force: true }, { made_at: "2026-11-20T09:30:00Z" }])
      assert.deepStrictEqual(issuesOf(Changes, nothing), [" required"])
    assert.deepStrictEqual(issuesOf(Changes, { name: null, seats: 10 }), [
      "name required",
      "seats out_of_range"
    ])
  })

  it("gives the stored record, which is not refused for a bound", () => {
    assert.isTrue(Schema.is(Stored)(stored))
    assert.isFalse(Schema.is(Stored)({ ...stored, seats: "50" }))
    assert.deepStrictEqual(Object.keys(Stored.fields), Object.keys(stored))
  })

  it("gives the record of responses, in the order of the list, without internal fields and flags", () => {
    const record = encode(stored, "/")
    assert.deepStrictEqual(Object.entries(record), [
      ["car_id", 7],
      ["code", "a long code"],
      ["name", stored.name],
      ["plate", null],
      ["seats", 50],
      ["kind", "van"],
      ["active", true],
      ["label", `${stored.name}/null`],
      ["made_at", "2026-11-20T09:30:00Z"],
      ["sold_at", null]
    ])
    assert.deepStrictEqual(Schema.encodeSync(Record)(record), record)
    assert.notStrictEqual(encode(stored, "/"), record)
  })

  it("states the bounds of responses", () => {
    const { schema } = Schema.toJsonSchemaDocument(Record)
    const { properties } = schema as { readonly properties: { readonly [name: string]: unknown } }
    assert.deepInclude(JSON.stringify(properties["name"]), '"maxLength":5')
    assert.deepInclude(JSON.stringify(properties["code"]), '"maxLength":2')
    assert.deepInclude(JSON.stringify(properties["seats"]), '"minimum":1,"maximum":9')
    assert.deepInclude(JSON.stringify(properties["made_at"]), '"format":"date-time"')
  })
})
