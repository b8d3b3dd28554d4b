/** The contract of `PlanCatalogue`. */
import { PlanCatalogue } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { wholeList } from "./Given.ts"

export const planCatalogue = contract("the plans", (it) => {
  it.effect("of a new installation are free, pro and fleet", () =>
    Effect.gen(function* () {
      const plans = yield* PlanCatalogue
      const { items, total } = yield* plans.list(false, wholeList)
      assert.deepStrictEqual([items.map(({ code }) => code), total], [["free", "pro", "fleet"], 3])
      assert.deepStrictEqual(yield* plans.find(2), Option.fromUndefinedOr(items[1]))
      assert.deepStrictEqual(yield* plans.find(9_999_999_999), Option.none())
    })
  )
})
