/** The public exports of this module. */
export * from "./DispatchPlan.ts"
export * from "./DispatchPlans.ts"
export * from "./PlanProblem.ts"
export * from "./PlanSolver.ts"
export * from "./SolvePlan.ts"
