/** The composed Livery, for programs that embed it. */
export * from "./Composition.ts"
export * as Database from "./Database.ts"
export * from "./Settings.ts"
