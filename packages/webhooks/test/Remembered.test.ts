import { assert, describe, it } from "@effect/vitest"
import { remembered } from "../src/Remembered.ts"

describe("what is remembered", () => {
  const counting = () => {
    const asked: Array<string> = []
    const find = remembered(2, (key) => {
      asked.push(key)
      return key === "none" ? undefined : key.toUpperCase()
    })
    return { asked, find }
  }

  it("is made once, also when it is nothing", () => {
    const { asked, find } = counting()
    assert.deepStrictEqual(["a", "none", "a", "none"].map(find), ["A", undefined, "A", undefined])
    assert.deepStrictEqual(asked, ["a", "none"])
  })

  it("is bounded: what was asked for longest ago is made again", () => {
    const { asked, find } = counting()
    for (const key of ["a", "b", "a", "c", "a", "b"]) find(key)
    assert.deepStrictEqual(asked, ["a", "b", "c", "b"])
  })
})
