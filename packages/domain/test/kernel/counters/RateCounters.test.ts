import { RateCounters } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { rateCountersContract } from "../../../../../test/support/RateCountersContract.ts"

const withCounters = <A, E>(test: (counters: RateCounters["Service"]) => Effect.Effect<A, E>) =>
  RateCounters.use(test).pipe(Effect.provide(RateCounters.layerMemory))

it.effect("counters in memory give each concurrent request its own number", () =>
  withCounters((counters) => rateCountersContract.exact("busy", counters))
)

it.effect("counters in memory end their windows with the clock's minute", () =>
  Effect.andThen(
    TestClock.adjust("90 seconds"),
    withCounters((counters) => rateCountersContract.ends("any", counters, 90))
  )
)

it.effect("counters in memory count each key separately", () =>
  withCounters((counters) => rateCountersContract.apart("one", counters))
)

it.effect("counters in memory start at 1 again each minute", () =>
  withCounters((counters) =>
    Effect.gen(function* () {
      yield* TestClock.adjust("59999 millis")
      yield* counters.count("any", 9)
      assert.deepStrictEqual(yield* counters.count("any", 9), { used: 2, resetsAt: 60 })
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* counters.count("any", 9), { used: 1, resetsAt: 120 })
    })
  )
)
