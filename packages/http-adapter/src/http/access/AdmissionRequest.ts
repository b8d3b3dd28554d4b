/** The input and the result of the admission to a route, and the names that identify a caller. */
import type { Context } from "effect"
import type { HttpServerRequest } from "effect/http"
import {
  type ActingBusiness,
  type ActingDriver,
  type BearerPrincipal,
  type IdempotentRequest,
  masked,
  type Permission
} from "@livery/domain"
import type { CallerKind, RequestState } from "@livery/contract"
import { bearerOf } from "../request/IncomingRequest.ts"
import type { Query } from "../request/Query.ts"

/** A request to admit, with the credential of the kind that its route takes; empty if the request has none. */
export interface AdmissionRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly state: RequestState
  readonly credential: string
  /** The permission that the route requires; undefined for a route that acts for no business. */
  readonly permission: Permission | undefined
}

/** The result for an admitted caller: how the handler gets its caller, and the owner of the caller's idempotency keys. */
export interface Admission<S> extends Pick<IdempotentRequest, "caller" | "scope" | "tenant"> {
  /** Adds the services with the caller to a handler's context. */
  readonly provide: <R>(context: Context.Context<R>) => Context.Context<R | S>
}

/** The admission to a route that has no access. */
export const publicAdmission: Admission<never> = {
  scope: "public",
  tenant: "",
  caller: "",
  provide: (context) => context
}

/** The credential of a request, for that kind of caller; empty if it has none. */
export const credentialOf = (
  kind: CallerKind,
  request: HttpServerRequest.HttpServerRequest,
  query: Query
): string => {
  if (kind !== "driverToken") return bearerOf(request)
  const { token } = query
  return typeof token === "string" ? token : ""
}

/** The owner of an `Idempotency-Key`: the business, for any of its API keys, or the user acting for it. */
export const callerOf = (principal: BearerPrincipal, business?: ActingBusiness) => {
  const forBusiness = business === undefined ? "" : `business:${business.business_id}`
  return principal._tag === "ApiKey" ? forBusiness : `user:${principal.user.user_id} ${forBusiness}`
}

/** The tenant of the bulkhead for idempotent requests: the business, shared by all its callers. */
export const tenantOf = ({ business_id }: ActingBusiness) => `business:${business_id}`

/** The caller's name in audit trails and timelines. An API key is named by its masked form. */
export const actorOf = (principal: BearerPrincipal, credential: string) =>
  principal._tag === "ApiKey" ? `api_key:${masked(credential)}` : `user:${principal.user.user_id}`

/** The driver's name in audit trails and timelines. */
export const driverActor = ({ driver_id }: ActingDriver) => `driver:${driver_id}`
