import { assert, describe, it } from "@effect/vitest"
import { makeOldestFirstCache } from "../../src/kernel/OldestFirstCache.ts"

/** A cache for two entries that has both, and its values of four keys. */
const fullCache = () => {
  const cache = makeOldestFirstCache<number>(2)
  cache.set("a", 1)
  cache.set("b", 2)
  return { cache, values: () => ["a", "b", "c", "d"].map(cache.get) }
}

describe("a cache that is full", () => {
  it("drops the entry that was added first, also if that was read since", () => {
    const { cache, values } = fullCache()
    cache.get("a")
    cache.set("c", 3)
    assert.deepStrictEqual(values(), [undefined, 2, 3, undefined])
  })

  it("drops no entry if a value is replaced", () => {
    const { cache, values } = fullCache()
    cache.set("b", 3)
    assert.deepStrictEqual(values(), [1, 3, undefined, undefined])
  })

  it("has room again after an entry was deleted", () => {
    const { cache, values } = fullCache()
    cache.delete("b")
    cache.set("c", 3)
    assert.deepStrictEqual(values(), [1, undefined, 3, undefined])
  })
})
