/** Checks that a list reads no more rows in a large business than in a small one. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
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
