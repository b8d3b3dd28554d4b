import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { InvalidInput, StatementStart } from "@livery/domain"
import { withinListLimit } from "../../src/http/responses/ListedPage.ts"

const statement = Effect.gen(function* () {
  ;(yield* StatementStart)?.()
  yield* Effect.sleep("3 seconds")
  return "rows"
})

describe("the limit of a list", () => {
  it.effect("refuses a statement that takes more than 2 s, and names the filter to add", () =>
    Effect.gen(function* () {
      const reading = yield* Effect.forkChild(Effect.flip(withinListLimit({}, "date_from", statement)))
      yield* TestClock.adjust("2 seconds")
      const refusal = yield* Fiber.join(reading)
      assert.instanceOf(refusal, InvalidInput)
      assert.deepStrictEqual(refusal.issues, [{ field: "date_from", issue: "required" }])
    })
  )

  it.effect("does not count the wait for a session of the database", () =>
    Effect.gen(function* () {
      const waiting = Effect.andThen(Effect.sleep("4 seconds"), Effect.fail("no session was free"))
      const reading = yield* Effect.forkChild(Effect.flip(withinListLimit({}, "date_from", waiting)))
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual(yield* Fiber.join(reading), "no session was free")
    })
  )
})
