/** A request to admit to a route, the result of admitting it, and the names that identify its caller. */
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
import type { Serves } from "./Access.ts"
import type { RequestState } from "./CurrentRequest.ts"
import { bearerOf, headerOf } from "./IncomingRequest.ts"
import type { Query } from "./Query.ts"

/** A request to admit, with the credential of the kind that its route takes; empty if the request has none. */
export interface AdmissionRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly state: RequestState
  readonly credential: string
  /** What the route does in which area; undefined for a route that acts for no business. */
  readonly permission: Permission | undefined
}

/** An admitted caller: the services that give the handler its caller, and the caller's scope for idempotency keys. */
export interface Admission<S> extends Pick<IdempotentRequest, "caller" | "scope" | "tenant"> {
  readonly provide: <R>(context: Context.Context<R>) => Context.Context<R | S>
}

/** The admission to a route that has no access. */
export const publicAdmission: Admission<never> = {
  scope: "public",
  tenant: "",
  caller: "",
  provide: (context) => context
}

/** Reads the credential of the kind that an access takes. */
export const credentialOf = (
  serves: Serves,
  request: HttpServerRequest.HttpServerRequest,
  query: Query
): string => {
  if (serves !== "driverToken") return bearerOf(headerOf(request, "authorization"))
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
