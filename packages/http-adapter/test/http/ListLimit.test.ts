import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { InvalidInput, StatementLimit, StatementStopped, Unavailable } from "@livery/domain"
import { withinListLimit } from "../../src/http/responses/ListedPage.ts"

/** A statement that ends at its limit by an error. */
const stoppedBy = (error: Error) =>
  Effect.flatMap(StatementLimit, (limit) => {
    assert.strictEqual(limit, 2000)
    return Effect.die(new Error("The list was not read", { cause: error }))
  })

describe("the limit of a list", () => {
  it.effect.each([
    [{}, "required"],
    [{ date_from: "2026-11-20" }, "out_of_range"]
  ] as const)(
    "refuses a statement that takes more than 2 s, and names the filter to add: %o",
    ([query, issue]) =>
      Effect.gen(function* () {
        const refusal = yield* Effect.flip(
          withinListLimit(query, "date_from", stoppedBy(new StatementStopped()))
        )
        assert.instanceOf(refusal, InvalidInput)
        assert.deepStrictEqual(refusal.issues, [{ field: "date_from", issue }])
      })
  )

  it.effect("does not call a database that is silent a long list", () =>
    Effect.gen(function* () {
      const silent = new Unavailable({ reason: "The database does not answer", retryAfterSeconds: 1 })
      const ended = yield* Effect.exit(withinListLimit({}, "date_from", stoppedBy(silent)))
      assert.isTrue(Exit.isFailure(ended) && Cause.hasDies(ended.cause))
    })
  )
})
