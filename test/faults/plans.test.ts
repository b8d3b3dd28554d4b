import { solvePlan } from "@livery/domain"
import { assert, it } from "vitest"
import { clashesIn, dayOf, misfitsIn } from "../../packages/domain/test/planning/PlannedDays.ts"

/** All days in the full run, and a few otherwise. */
const days = process.env["LIVERY_FAULTS"] === "full" ? 1000 : 40

it(
  "plans of seeded days never clash and never cost more than the nearest free drivers",
  { timeout: 1_800_000 },
  () => {
    for (let seed = 1000; seed < 1000 + days; seed++) {
      const problem = dayOf({ seed, jobs: 20 + (seed % 60), drivers: 5 + (seed % 20), steps: 200 })
      const solution = solvePlan(problem, () => 0)
      const { after, nearestFree } = solution
      assert.deepStrictEqual(clashesIn(problem, solution), [], `seed ${seed}`)
      assert.deepStrictEqual(misfitsIn(problem, solution), [], `seed ${seed}`)
      assert.isAtMost(after.unassigned, nearestFree.unassigned, `seed ${seed}`)
      if (after.unassigned === nearestFree.unassigned)
        assert.isAtMost(after.emptyMetres, nearestFree.emptyMetres, `seed ${seed}`)
    }
  }
)
