/** The server of the HTTP API, whose contract is `@livery/contract`. */
export * as HttpApp from "./HttpApp.ts"
export { type ConnectionLimits, connectionLimits } from "./http/server/ConnectionLimits.ts"
export * as NodeServer from "./http/server/NodeServer.ts"
export { Application } from "./http/pipeline/RequestSteps.ts"
export * as MonitoringApp from "./MonitoringApp.ts"
export * from "./http/access/RateLimits.ts"
export { RequestLog, type RequestLogEntry } from "./http/observation/RequestLog.ts"
export { Stopping, type StopState } from "./http/server/Stopping.ts"
