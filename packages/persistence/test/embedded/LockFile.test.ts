import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Latch } from "effect"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withLockFile } from "../../src/embedded/LockFile.ts"
import { startedAt } from "../../src/embedded/LivingProcess.ts"
import { testDirectory } from "./TestDirectory.ts"

const lockIn = Effect.map(testDirectory, (directory) => {
  mkdirSync(directory)
  return join(directory, "lock")
})

const owner = (pid: number, since: string) => JSON.stringify({ pid, startedAt: since, token: "another" })

describe("withLockFile", () => {
  it.live("is held by one at a time, also if all find a dead owner's lock", () =>
    Effect.gen(function* () {
      const path = yield* lockIn
      let inside = 0
      let most = 0
      const visit = Effect.sync(() => {
        inside++
        most = Math.max(most, inside)
      }).pipe(
        Effect.andThen(Effect.yieldNow),
        Effect.andThen(
          Effect.sync(() => {
            inside--
          })
        )
      )
      for (let round = 0; round < 20; round++) {
        writeFileSync(path, owner(2 ** 22 + 1, ""))
        yield* Effect.all(
          Array.from({ length: 8 }, () => withLockFile(path, visit)),
          { concurrency: "unbounded" }
        )
      }
      assert.strictEqual(most, 1)
      assert.deepStrictEqual(readdirSync(join(path, "..")), [])
    })
  )

  it.live(
    "leaves a dead owner's lock to the process that is removing it, unless that process is dead too",
    () =>
      Effect.gen(function* () {
        const path = yield* lockIn
        const breaking = `${path}.breaking`
        writeFileSync(path, owner(2 ** 22 + 1, ""))
        writeFileSync(breaking, "")
        const entered = yield* Deferred.make<void>()
        const waiting = yield* Effect.forkChild(withLockFile(path, Deferred.succeed(entered, undefined)))
        yield* Effect.timeoutOption(Deferred.await(entered), "100 millis")
        assert.isFalse(yield* Deferred.isDone(entered))
        const longAgo = new Date(Date.now() - 60_000)
        utimesSync(breaking, longAgo, longAgo)
        yield* Fiber.join(waiting)
        assert.deepStrictEqual(readdirSync(join(path, "..")), [])
      })
  )

  it.live.skipIf(startedAt(process.pid) === "")(
    "distinguishes a process from a dead owner with the same id",
    () =>
      Effect.gen(function* () {
        const path = yield* lockIn
        writeFileSync(path, owner(process.pid, "1"))
        assert.strictEqual(yield* withLockFile(path, Effect.succeed("in")), "in")
      })
  )

  it.live("waits for a living owner, and stops waiting when interrupted", () =>
    Effect.gen(function* () {
      const path = yield* lockIn
      writeFileSync(path, owner(process.pid, startedAt(process.pid)))
      const entered = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(withLockFile(path, Deferred.succeed(entered, undefined)))
      yield* Effect.timeoutOption(Deferred.await(entered), "100 millis")
      assert.isFalse(yield* Deferred.isDone(entered))
      yield* Fiber.interrupt(waiting)
      assert.isTrue(existsSync(path))
    })
  )

  it.live("is released when its use fails", () =>
    Effect.gen(function* () {
      const path = yield* lockIn
      assert.strictEqual(yield* Effect.flip(withLockFile(path, Effect.fail("no"))), "no")
      assert.isFalse(existsSync(path))
    })
  )

  it.live("is waited for although the clock is set forward by a day meanwhile", () =>
    Effect.gen(function* () {
      const path = yield* lockIn
      const clock = yield* Clock.Clock
      const isTaken = yield* Latch.make()
      const isEnough = yield* Latch.make()
      let pauses = 0
      const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + (pauses > 0 ? 86_400_000 : 0)
      /** Is a day ahead from the first pause on. The third pause ends the use of the lock that is waited for. */
      const changed: Clock.Clock = {
        currentTimeMillisUnsafe,
        currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        currentTimeNanos: clock.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) =>
          Effect.suspend(() => (++pauses === 3 ? isEnough.open : Effect.void)).pipe(
            Effect.andThen(clock.sleep(duration))
          )
      }
      const first = yield* Effect.forkChild(withLockFile(path, Effect.andThen(isTaken.open, isEnough.await)))
      yield* isTaken.await
      const second = Effect.ensuring(withLockFile(path, Effect.succeed("used")), isEnough.open)
      assert.strictEqual(yield* Effect.provideService(second, Clock.Clock, changed), "used")
      assert.isAtLeast(pauses, 3)
      yield* Fiber.join(first)
    })
  )
})
