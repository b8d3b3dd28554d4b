import { assert, describe, it } from "@effect/vitest"
import { PlatformSettingRepository, PlatformSettings } from "@livery/domain"
import { Memory } from "@livery/memory"
import { DateTime, Effect, Fiber, Latch } from "effect"

describe("the settings of the platform on a node", () => {
  it.effect("stay as they were changed, also if a read that began before the change ends after it", () =>
    Effect.gen(function* () {
      const stored = yield* PlatformSettingRepository
      let answer = Effect.void
      const all = Effect.suspend(() => Effect.tap(stored.all, answer))
      const settings = yield* PlatformSettings.make.pipe(
        Effect.provideService(PlatformSettingRepository, { ...stored, all })
      )
      const late = Latch.makeUnsafe()
      answer = late.await
      const periodic = yield* Effect.forkChild(settings.refresh, { startImmediately: true })
      answer = Effect.void
      yield* stored.set("rate_limit_business", 7, DateTime.makeUnsafe(0))
      yield* settings.refresh
      assert.strictEqual(settings.current().rate_limit_business, 7)
      late.openUnsafe()
      yield* Fiber.join(periodic)
      assert.strictEqual(settings.current().rate_limit_business, 7)
    }).pipe(Effect.provide(Memory.layer))
  )
})
