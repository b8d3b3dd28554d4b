import { assert, describe, it } from "@effect/vitest"
import { memoizeLru } from "../../src/posting/LruMemo.ts"

describe("a memoized function", () => {
  const counting = () => {
    const made: Array<string> = []
    const find = memoizeLru(2, (key) => {
      made.push(key)
      return key === "none" ? undefined : key.toUpperCase()
    })
    return { made, find }
  }

  it("makes a value once, also an undefined one", () => {
    const { made, find } = counting()
    assert.deepStrictEqual(["a", "none", "a", "none"].map(find), ["A", undefined, "A", undefined])
    assert.deepStrictEqual(made, ["a", "none"])
  })

  it("forgets the least recently used key beyond its capacity", () => {
    const { made, find } = counting()
    for (const key of ["a", "b", "a", "c", "a", "b"]) find(key)
    assert.deepStrictEqual(made, ["a", "b", "c", "b"])
  })
})
