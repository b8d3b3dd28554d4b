import { assert, describe, it } from "vitest"
import { simulate } from "./simulation/Simulation.ts"
import { extent } from "./support/Extent.ts"

// A failure names its seed. `LIVERY_SEED=17 vitest run test/faults/simulation.test.ts` runs that seed alone.
const only = process.env["LIVERY_SEED"]
const seeds =
  only === undefined ? Array.from({ length: extent(200_000, 5_000) }, (_, seed) => seed) : [Number(only)]

describe("with random faults at random times", () => {
  it(
    "an event exists if and only if its change committed, gets at most six POSTs, none early, and reaches one final state",
    { timeout: 600_000 },
    () => {
      let deliveries = 0
      let posts = 0
      for (const seed of seeds) {
        const outcome = simulate(seed)
        deliveries += outcome.deliveries
        posts += outcome.posts
      }
      assert.isAbove(deliveries, seeds.length, "most seeds have deliveries")
      assert.isAbove(posts, deliveries, "some deliveries are repeated")
    }
  )

  it("the same seed gives the same trace, another seed another", () => {
    const traces = (from: number) => Array.from({ length: 20 }, (_, index) => simulate(from + index).trace)
    assert.deepStrictEqual(traces(0), traces(0))
    assert.strictEqual(new Set(traces(0)).size, 20)
  })
})
