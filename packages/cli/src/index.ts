/** Livery put together, to run within a program of your own. */
export * from "./Composition.ts"
export * as Database from "./Database.ts"
export * from "./Settings.ts"
