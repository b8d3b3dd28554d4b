import { assert, describe, it } from "@effect/vitest"
import { recordMaker } from "../../../src/kernel/fields/RecordMaker.ts"

type Source = Readonly<Record<string, unknown>>

describe("a maker of records", () => {
  it("takes values by their positions", () => {
    const make = recordMaker<ReadonlyArray<unknown>, undefined>([
      { name: "second", from: 1 },
      { name: "first", from: 0 }
    ])
    assert.deepStrictEqual(make(["a", null], undefined), { second: null, first: "a" })
  })

  it("converts the values that the source has", () => {
    const make = recordMaker<Source, undefined>([
      { name: "a", from: "b", convert: (value: number) => value + 1, compute: () => "computed" }
    ])
    assert.deepStrictEqual([make({ b: 1 }, undefined), make({}, undefined)], [{ a: 2 }, { a: "computed" }])
  })

  it("computes a field that the source lacks, but not one that is null", () => {
    const make = recordMaker<Source, string>([{ name: "a", from: "a", compute: (_, context) => context }])
    assert.deepStrictEqual(make({}, "computed"), { a: "computed" })
    assert.deepStrictEqual(make({ a: null }, "computed"), { a: null })
  })

  it("refuses a field called __proto__", () => {
    assert.throws(() => recordMaker([{ name: "__proto__", from: "a" }]), TypeError)
  })
})
