/** The contract of `PlanRepository`. */
import { BusinessId, PlanRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness } from "./Given.ts"

export const planRepository = contract("a plan", (it) => {
  it.effect("is that of the business", () =>
    Effect.gen(function* () {
      const plans = yield* PlanRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      assert.deepStrictEqual(yield* transaction.run(plans.lock(business)), {
        plan_id: 1,
        cars: 2,
        drivers: 2,
        invoices: 10,
        seat_minor: null,
        currency: "USD" as never
      })
    })
  )

  it.effect("of a business that is absent is a defect", () =>
    Effect.gen(function* () {
      const plans = yield* PlanRepository
      assert.isTrue(Exit.hasDies(yield* Effect.exit(plans.lock(BusinessId.make(999_999_999)))))
    })
  )
})
