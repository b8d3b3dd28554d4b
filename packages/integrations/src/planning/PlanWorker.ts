/** The thread that makes plans of assignments. */
import type { PlanProblem, PlanSolution } from "@livery/domain"
import { solvePlan } from "@livery/domain/planning"
import { parentPort } from "node:worker_threads"
import type { WorkAnswer } from "../threads/WorkThread.ts"

const answer = (problem: PlanProblem): WorkAnswer<PlanSolution> => {
  try {
    const start = performance.now()
    return { _tag: "done", result: solvePlan(problem, () => performance.now() - start) }
  } catch (cause) {
    return { _tag: "failed", reason: cause instanceof Error ? cause.message : String(cause) }
  }
}

parentPort?.on("message", (problem: PlanProblem) => {
  parentPort?.postMessage(answer(problem), [])
})
