import { assert, describe, it } from "@effect/vitest"
import { countCacheTtl, makeUncountedLists } from "@livery/domain"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

describe("a list that was too long to be counted", () => {
  it.effect("is counted again after ten seconds, also after the clock was set back by an hour", () =>
    Effect.gen(function* () {
      const counted: Array<boolean> = []
      const read = makeUncountedLists()("trips", (isCounted) =>
        Effect.sync(() => {
          counted.push(isCounted)
          return { total: undefined }
        })
      )
      yield* TestClock.adjust("2 hours")
      yield* read
      yield* TestClock.setTime(3_600_000)
      yield* read
      yield* TestClock.adjust(countCacheTtl)
      yield* read
      assert.deepStrictEqual(counted, [true, false, true])
    })
  )
})
