/** Checks that a list reads no more rows in a large business than in a small one. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { flat, handled, pagesRead, plansOf } from "../trips/Plans.ts"

/** A list: its name, how to read its first page, and the rows and the pages of the database that this may read. */
export type BoundedList = readonly [
  name: string,
  read: Effect.Effect<{ readonly items: ReadonlyArray<unknown> }>,
  items: number,
  atMost: number,
  pagesAtMost?: number
]

/**
 * Reads each list twice, planned either way. Asserts how
 * many items its page has, and that the statements read no more rows than permitted.
 */
export const assertBounded = Effect.fnUntraced(function* (lists: ReadonlyArray<BoundedList>) {
  for (const [name, read, items, atMost, pagesAtMost = Infinity] of lists) {
    assert.lengthOf((yield* read).items, items, name)
    for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
      const plans = yield* plansOf(read, planned)
      const steps = plans.flatMap(flat)
      const shown = JSON.stringify(
        steps.map((step) => [
          step["Node Type"],
          step["Index Name"] ?? step["Relation Name"],
          step["Actual Rows"],
          step["Actual Loops"]
        ])
      )
      assert.isAtMost(handled(steps), atMost, `${name}, ${planned}: ${shown}`)
      assert.isAtMost(pagesRead(plans), pagesAtMost, `pages of ${name}, ${planned}: ${shown}`)
    }
  }
})

/** Asserts that PostgreSQL makes no more plans for these lists after a session has read each of them ten times. */
export const assertPlannedOnce = Effect.fnUntraced(function* (
  lists: ReadonlyArray<readonly [name: string, read: Effect.Effect<unknown>]>
) {
  const sql = yield* SqlClient.SqlClient
  const plans = Effect.map(
    sql<{ made: number }>`SELECT sum(custom_plans)::int AS made FROM pg_prepared_statements`,
    ([row]) => row?.made ?? 0
  )
  for (const [name, read] of lists) {
    const readTen = Effect.repeat(read, { times: 9 })
    // A transaction has a session of its own.
    const made = sql.withTransaction(
      Effect.gen(function* () {
        yield* readTen
        const before = yield* plans
        yield* readTen
        return (yield* plans) - before
      })
    )
    assert.strictEqual(yield* made, 0, name)
  }
})
