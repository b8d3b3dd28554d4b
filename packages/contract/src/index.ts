/** The contract of the HTTP API: every route with its inputs, results and errors, and what a server needs to keep it. */
export * from "./Api.ts"
export { apiVersion } from "./business/BusinessApi.ts"
export {
  actsForBusiness,
  type BusinessAccess,
  type CallerKind,
  callerKindsOf,
  CurrentAssignedDriver,
  CurrentBusiness,
  CurrentDriver,
  CurrentUser,
  type DriverAccess,
  type DriverTokenAccess,
  permissionOf,
  type PersonAccess,
  type PublicAccess,
  type PublicAuthAccess,
  type SignedAccess,
  type SuperAdminAccess,
  type UserAccess,
  type UserForBusinessAccess
} from "./http/Access.ts"
export { isConfirmed } from "./http/Confirmation.ts"
export type { BulkError, BulkResult } from "./http/Bulk.ts"
export { basePath, CallsOut, dryRunParameter, reasonHeader, Repeatable } from "./http/Contract.ts"
export {
  CurrentRequest,
  firstParameterOf,
  requestId,
  type RequestState,
  requestState
} from "./http/CurrentRequest.ts"
export { type EnvelopeForm, envelopeForm } from "./http/Envelope.ts"
export {
  bareStatus,
  faultStatus,
  formOfError,
  MalformedRequest,
  NotReady,
  requestSeconds
} from "./http/ErrorMap.ts"
export { adminPerPage, type Paged, type Pagination, paginationOf } from "./http/Pages.ts"
export type { RateLimitStatus } from "./http/RateLimitStatus.ts"
export { RequestDecoding } from "./http/RequestDecoding.ts"
export {
  defaultTraits,
  page,
  probe,
  secretParameter,
  type Traits,
  traitsOf,
  uncached,
  webPage
} from "./http/Traits.ts"
export type { ErrorForm, WireError } from "./http/WireError.ts"
export { HealthApi } from "./monitoring/HealthApi.ts"
export { type DocumentedOperation, documentedOperations, documentPath } from "./http/DocumentPaths.ts"
export { isObject, type Json, listOf, objectOf, textOf } from "./openapi/Json.ts"
export type { BoardJob, BoardPage, BoardWire } from "./trips/DispatchApi.ts"
export type {
  ChangedGroupWire,
  ChangedGroupOnWire,
  ChangedTrip,
  ChangedTripGroup,
  ChangedTripOnWire,
  ChangedTripWire,
  ReadTrip,
  TripOnWire,
  TripWire,
  Wire
} from "./trips/TripBodies.ts"
