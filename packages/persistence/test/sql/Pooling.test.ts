import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { pgBouncer, pgBouncerIsThere } from "../../../../test/support/PgBouncer.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { sharesSessions } from "../../src/sql/connections/Pooling.ts"

describe("the sessions of an address", () => {
  it.live("are not shared by a server of PostgreSQL", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.create
      assert.isFalse(yield* sharesSessions(url))
    }).pipe(Effect.scoped)
  )

  for (const [mode, shared] of [
    ["session", false],
    ["transaction", true]
  ] as const)
    it.live.skipIf(!pgBouncerIsThere)(`are ${shared ? "" : "not "}shared by a pooler in ${mode} mode`, () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase.create
        assert.strictEqual(yield* sharesSessions(yield* pgBouncer(url, mode)), shared)
      }).pipe(Effect.scoped)
    )
})
