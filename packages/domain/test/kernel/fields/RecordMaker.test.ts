import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { type FieldSource, interpretedMaker, recordMaker } from "../../../src/kernel/fields/RecordMaker.ts"

type Source = Readonly<Record<string, unknown>>

const names = [
  "trip_id",
  "constructor",
  "toString",
  "a b",
  '"',
  "\\",
  "\u2028",
  "`${1}`",
  "0",
  "10",
  "-1",
  ""
]

const text = (value: unknown) => `converted ${typeof value}`
const own = (source: Source, context: number) => [Object.keys(source).length, context]

/** Each way in which a field can get its value. */
const ways: ReadonlyArray<Omit<FieldSource<Source, number>, "name">> = names.flatMap((from) => [
  { from },
  { from, convert: text },
  { compute: own },
  { from, compute: own },
  { from, convert: text, compute: own }
])

const sources: ReadonlyArray<Source> = [
  {},
  Object.fromEntries(names.map((name) => [name, name])),
  Object.fromEntries(names.map((name) => [name, null])),
  Object.fromEntries(names.map((name, at) => [name, at % 2 === 0 ? undefined : [name]]))
]

describe("a maker of records", () => {
  it.each(names)("gives the same record with a field %s with generated code as without", (name) => {
    for (const way of ways) {
      const list = [
        { name: "first", from: "a" },
        { name, ...way },
        { name: "last", compute: own }
      ]
      for (const source of sources) {
        const made = recordMaker(list)(source, 7)
        const expected = interpretedMaker(list)(source, 7)
        assert.deepStrictEqual(made, expected)
        assert.deepStrictEqual(Object.keys(made), Object.keys(expected))
      }
    }
  })

  it("takes values by their positions", () => {
    const make = recordMaker<ReadonlyArray<unknown>, undefined>([
      { name: "second", from: 1 },
      { name: "first", from: 0 }
    ])
    assert.deepStrictEqual(make(["a", null], undefined), { second: null, first: "a" })
  })

  it("computes a field that the source lacks, but not one that is null", () => {
    const make = recordMaker<Source, string>([{ name: "a", from: "a", compute: (_, context) => context }])
    assert.deepStrictEqual(make({}, "computed"), { a: "computed" })
    assert.deepStrictEqual(make({ a: null }, "computed"), { a: null })
  })

  it("refuses a field called __proto__", () => {
    assert.throws(() => recordMaker([{ name: "__proto__", from: "a" }]), TypeError)
  })

  it("works where code must not be generated", async () => {
    const script = `
      import { recordMaker } from "@livery/domain"
      const make = recordMaker([{ name: "a", from: "b", convert: (value) => value + 1 }])
      console.log(JSON.stringify(make({ b: 1 })))`
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--disallow-code-generation-from-strings",
      "--conditions=@livery/source",
      "--input-type=module",
      "--eval",
      script
    ])
    assert.strictEqual(stdout, '{"a":2}\n')
  })
})
