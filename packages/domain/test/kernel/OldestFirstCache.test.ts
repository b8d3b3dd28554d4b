import { assert, describe, it } from "@effect/vitest"
import { makeOldestFirstCache } from "../../src/kernel/OldestFirstCache.ts"

const keys = ["a", "b", "c", "d"]

describe("a cache that is full", () => {
  it("drops the entry that was added first, also if that was read since", () => {
    const cache = makeOldestFirstCache<number>(2)
    cache.set("a", 1)
    cache.set("b", 2)
    cache.get("a")
    cache.set("c", 3)
    assert.deepStrictEqual(keys.map(cache.get), [undefined, 2, 3, undefined])
  })

  it("drops no entry if a value is replaced", () => {
    const cache = makeOldestFirstCache<number>(2)
    cache.set("a", 1)
    cache.set("b", 2)
    cache.set("b", 3)
    assert.deepStrictEqual(keys.map(cache.get), [1, 3, undefined, undefined])
  })

  it("has room again after an entry was deleted", () => {
    const cache = makeOldestFirstCache<number>(2)
    cache.set("a", 1)
    cache.set("b", 2)
    cache.delete("b")
    cache.set("c", 3)
    assert.deepStrictEqual(keys.map(cache.get), [1, undefined, 3, undefined])
  })
})
