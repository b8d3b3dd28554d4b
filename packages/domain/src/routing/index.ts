/** The public exports of this module. */
export * from "./Routing.ts"
