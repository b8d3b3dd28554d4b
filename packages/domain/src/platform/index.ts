/** The public exports of this module. */
export * from "./Administration.ts"
export * from "./Demonstration.ts"
export * from "./RateCounters.ts"
export * from "./RateStore.ts"
export * as SharedRateCounters from "./SharedRateCounters.ts"
export * from "./Readiness.ts"
export * from "./StateMachines.ts"
