/** The HTTP API: its contract, for clients, and its routes, for servers. */
export * from "./Api.ts"
export * as HttpApp from "./HttpApp.ts"
export * as NodeServer from "./http/NodeServer.ts"
export { paginationOf } from "./http/Pages.ts"
export * as MonitoringApp from "./MonitoringApp.ts"
export * from "./http/RateLimits.ts"
export { RequestLog, type RequestLogEntry } from "./http/RequestLog.ts"
