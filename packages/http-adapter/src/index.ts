/** The HTTP API: its contract, to build clients from, and its routes, to serve. */
export * from "./Api.ts"
export * as HttpApp from "./HttpApp.ts"
export * as NodeServer from "./http/NodeServer.ts"
export { paginationOf } from "./http/Pages.ts"
export * as OperationsApp from "./OperationsApp.ts"
export * from "./http/RateLimits.ts"
