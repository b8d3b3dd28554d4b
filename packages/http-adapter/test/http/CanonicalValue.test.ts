import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { canonicalCheck } from "../../src/http/responses/CanonicalValue.ts"

const Part = Schema.Struct({ id: Schema.Int, note: Schema.optionalKey(Schema.String) })
const Record = Schema.Struct({
  id: Schema.Int,
  name: Schema.NullOr(Schema.String),
  status: Schema.Literals(["a", "b"]),
  note: Schema.optionalKey(Schema.String),
  part: Schema.NullOr(Part),
  parts: Schema.Array(Part),
  words: Schema.Record(Schema.String, Schema.Array(Schema.String)),
  anything: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
})

const checkOf = <A, I>(schema: Schema.Codec<A, I>) => {
  const codec = Schema.toCodecJson(schema)
  return { isCanonical: canonicalCheck(codec.ast), encode: Schema.encodeUnknownSync(codec) }
}

const { encode, isCanonical = () => assert.fail("no check") } = checkOf(Record)

const full = {
  id: 1,
  name: null,
  status: "a",
  note: "n",
  part: { id: 2, note: "m" },
  parts: [{ id: 3 }, { id: 4, note: "o" }],
  words: { one: ["a"], two: [] },
  anything: { deep: [{ any: null }] }
}

describe("a canonical value", () => {
  it.prop("is encoded as its schema would encode it", [Record], ([value]) => {
    const encoded = JSON.stringify(encode(value))
    if (isCanonical(value)) assert.strictEqual(JSON.stringify(value), encoded)
    assert.isTrue(isCanonical(JSON.parse(encoded)))
  })

  it("has its optional fields or not", () => {
    const { note: _, ...without } = full
    assert.deepStrictEqual([full, without].map(isCanonical), [true, true])
  })

  it("has no other fields, at any depth", () => {
    for (const value of [
      { ...full, secret: "x" },
      { secret: "x", ...full },
      { ...full, part: { ...full.part, secret: "x" } },
      { ...full, parts: [{ id: 3 }, { id: 4, secret: "x" }] }
    ]) {
      assert.isFalse(isCanonical(value))
      assert.notInclude(JSON.stringify(encode(value)), "secret")
    }
  })

  it("has them in the schema's order, and all that are required", () => {
    const { id, ...rest } = full
    const { name: _, ...nameless } = full
    for (const value of [{ ...rest, id }, { ...full, part: { note: "m", id: 2 } }, nameless, null, []])
      assert.isFalse(isCanonical(value))
  })

  it("does not exist for a schema whose encoding changes values", () => {
    assert.isUndefined(checkOf(Schema.Struct({ at: Schema.DateTimeUtcFromString })).isCanonical)
    assert.isUndefined(checkOf(Schema.Array(Schema.FiniteFromString)).isCanonical)
    assert.isUndefined(checkOf(Schema.NullOr(Schema.Struct({ at: Schema.Date }))).isCanonical)
  })
})
