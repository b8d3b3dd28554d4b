import { assert, describe, it } from "@effect/vitest"
import { outgoingPaused, PlatformSettingRepository, PlatformSettings, whileNotPaused } from "@livery/domain"
import { Memory } from "@livery/memory"
import { DateTime, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"

/** A worker that runs while its scope lives, and stores the setting. */
const held = Effect.gen(function* () {
  const stored = yield* PlatformSettingRepository
  const runs: Array<string> = []
  const worker = Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.sync(() => runs.push("started")),
      () => Effect.sync(() => runs.push("stopped"))
    )
  )
  const set = (value: boolean) => stored.set("outgoing_paused", value, DateTime.makeUnsafe(0))
  const start = Layer.build(whileNotPaused(worker).pipe(Layer.provide(PlatformSettings.layer)))
  return { runs, set, start }
})

describe("outgoing work", () => {
  it.effect(
    "runs while the installation is not paused, stops when it is paused, and runs again afterwards",
    () =>
      Effect.gen(function* () {
        const { runs, set, start } = yield* held
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* start
            yield* TestClock.adjust("1 second")
            assert.deepStrictEqual(runs, ["started"])
            yield* set(true)
            yield* TestClock.adjust("10 seconds")
            assert.deepStrictEqual(runs, ["started", "stopped"])
            yield* set(false)
            yield* TestClock.adjust("10 seconds")
            assert.deepStrictEqual(runs, ["started", "stopped", "started"])
          })
        )
        assert.deepStrictEqual(runs, ["started", "stopped", "started", "stopped"])
      }).pipe(Effect.provide(Memory.layer))
  )

  it.effect("does not start on a paused installation, and a line of the log says so", () =>
    Effect.gen(function* () {
      const { runs, set, start } = yield* held
      yield* set(true)
      const lines: Array<unknown> = []
      const recording = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
      yield* Effect.scoped(Effect.andThen(start, TestClock.adjust("1 minute"))).pipe(
        Effect.provide(recording)
      )
      assert.deepStrictEqual(runs, [])
      assert.deepStrictEqual(lines.flat(), [outgoingPaused])
    }).pipe(Effect.provide(Memory.layer))
  )

  it.effect("does not start before the settings were read", () =>
    Effect.gen(function* () {
      const { runs, set } = yield* held
      yield* set(true)
      const stored = yield* PlatformSettingRepository
      let isAway = true
      const all = Effect.suspend(() => (isAway ? Effect.die("the database is away") : stored.all))
      const settings = yield* PlatformSettings.make.pipe(
        Effect.provideService(PlatformSettingRepository, { ...stored, all })
      )
      assert.isTrue(settings.current().outgoing_paused)
      isAway = false
      yield* set(false)
      yield* settings.refresh
      assert.isFalse(settings.current().outgoing_paused)
      assert.deepStrictEqual(runs, [])
    }).pipe(Effect.provide(Memory.layer))
  )
})
