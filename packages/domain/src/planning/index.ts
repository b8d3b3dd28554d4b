/** The public exports of this module. */
export * from "./PlanProblem.ts"
export * from "./SolvePlan.ts"
