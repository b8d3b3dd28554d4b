/** The contract of `PlatformSettingRepository`. */
import { PlatformSettingRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at, atOnce, contract } from "./Contract.ts"

const key = "rate_limit_public"

export const platformSettingRepository = contract("the settings of the platform", (it) => {
  it.effect("are stored once they are changed, and not if the transaction fails", () =>
    Effect.gen(function* () {
      const settings = yield* PlatformSettingRepository
      const { run } = yield* Transaction
      assert.deepStrictEqual(yield* settings.all, [])
      const change = Effect.gen(function* () {
        const { value } = yield* settings.lock(key, 120, at("09:30:00"))
        assert.strictEqual(value, 120)
        return yield* settings.set(key, 200, at("09:31:00"))
      })
      yield* Effect.flip(run(Effect.andThen(change, Effect.fail("no"))))
      assert.deepStrictEqual(yield* settings.all, [])
      const stored = { setting_key: key, value: 200, updated_at: at("09:31:00") }
      assert.deepStrictEqual(yield* run(change), stored)
      assert.deepStrictEqual(yield* settings.all, [stored])
      assert.deepStrictEqual(yield* run(settings.lock(key, 120, at("09:32:00"))), stored)
      assert.deepInclude(yield* run(settings.lock("registration_open", true, at("09:32:00"))), {
        value: true
      })
    })
  )

  it.effect("a locked one is changed by one transaction at a time", () =>
    Effect.gen(function* () {
      const settings = yield* PlatformSettingRepository
      const { run } = yield* Transaction
      const now = at("09:40:00")
      const increment = run(
        Effect.gen(function* () {
          const { value } = yield* settings.lock("default_plan_id", 1, now)
          return yield* settings.set("default_plan_id", Number(value) + 1, now)
        })
      )
      yield* atOnce(5, () => increment)
      const { value } = yield* run(settings.lock("default_plan_id", 1, now))
      assert.strictEqual(value, 6)
    })
  )
})
