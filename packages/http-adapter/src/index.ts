/** The HTTP API: its contract, for clients, and its routes, for servers. */
export * from "./Api.ts"
export * as HttpApp from "./HttpApp.ts"
export type {
  BusinessAccess,
  CurrentAssignedDriver,
  CurrentBusiness,
  CurrentDriver,
  CurrentUser,
  DriverAccess,
  DriverTokenAccess,
  PublicAccess,
  PublicAuthAccess,
  SignedAccess,
  SuperAdminAccess,
  UserAccess,
  UserForBusinessAccess
} from "./http/contract/Access.ts"
export type { MalformedRequest, NotReady } from "./http/contract/ErrorMap.ts"
export type { RequestDecoding } from "./http/contract/RequestDecoding.ts"
export type { WireError } from "./http/contract/WireError.ts"
export type { RequestState } from "./http/request/CurrentRequest.ts"
export type { Traits } from "./http/request/Traits.ts"
export { type ConnectionLimits, connectionLimits } from "./http/server/ConnectionLimits.ts"
export * as NodeServer from "./http/server/NodeServer.ts"
export { reasonHeader } from "./http/contract/Contract.ts"
export { adminPerPage, type Paged, type Pagination, paginationOf } from "./http/contract/Pages.ts"
export { Application } from "./http/pipeline/RequestSteps.ts"
export type { PagesOptions } from "./StaticPages.ts"
export * as MonitoringApp from "./MonitoringApp.ts"
export * from "./http/access/RateLimits.ts"
export type { RateLimitStatus } from "./http/request/RateLimitStatus.ts"
export { RequestLog, type RequestLogEntry } from "./http/observation/RequestLog.ts"
export { Stopping, type StopState } from "./http/server/Stopping.ts"
