/**
 * How long a plan of assignments takes, how many empty kilometres it saves, and how long the thread of requests is blocked:
 * `node --conditions=@livery/source bench/plans.ts`.
 */
import { PlanSolver } from "@livery/domain"
import { PlanThread } from "@livery/integrations"
import { Effect } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { dayOf } from "../packages/domain/test/planning/PlannedDays.ts"

const kilometres = (metres: number) => Math.round(metres / 1000)

const measured = Effect.gen(function* () {
  const solve = yield* PlanSolver
  // The first plan starts the thread.
  yield* solve(dayOf({ seed: 1, jobs: 5, drivers: 3 }))
  for (const [jobs, drivers] of [
    [60, 30],
    [180, 90],
    [600, 250]
  ] as const) {
    const problem = dayOf({ seed: 42, jobs, drivers, steps: 20_000, budgetMillis: 2000 })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const start = performance.now()
    const { after, nearestFree, steps } = yield* solve(problem)
    const took = performance.now() - start
    delay.disable()
    const saved = 1 - after.emptyMetres / after.assigned / (nearestFree.emptyMetres / nearestFree.assigned)
    process.stdout.write(
      `${jobs} jobs, ${drivers} drivers: ${Math.round(took)} ms, ${steps} steps, request thread blocked at most ` +
        `${(delay.max / 1e6).toFixed(1)} ms; nearest free ${kilometres(nearestFree.emptyMetres)} km for ${nearestFree.assigned}, ` +
        `plan ${kilometres(after.emptyMetres)} km for ${after.assigned}: ${(100 * saved).toFixed(0)} % less for each job\n`
    )
  }
})

await Effect.runPromise(measured.pipe(Effect.provide(PlanThread.layer())))
