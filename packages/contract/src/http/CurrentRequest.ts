/**
 * The state of the current request: one object per request, filled in while the request is handled and read for its
 * response.
 */
import type { BusinessId } from "@livery/domain/records"
import { Context, Effect, type Tracer } from "effect"
import type { RateLimitStatus } from "./RateLimitStatus.ts"
import { type Traits, defaultTraits } from "./Traits.ts"

/** The state of one request. */
export interface RequestState {
  readonly id: string
  readonly method: string
  /** The path without the query, as it was sent. */
  readonly path: string
  /** The path as its routes declare it; `undefined` if no route has it. */
  readonly pattern: string | undefined
  /** The traits of its route, or of unknown paths. */
  readonly traits: Traits
  /** When the request arrived, in Unix milliseconds. */
  readonly startedAt: number
  /** The span of the request; `undefined` if it is not traced. */
  span: Tracer.Span | undefined
  /** The rate limit of the caller, set when the request was counted. */
  rateLimit: RateLimitStatus | undefined
  /** When a refused caller may retry, in seconds, if the refusal says so. */
  retryAfterSeconds: number | undefined
  /** Each `Set-Cookie` of its response. */
  cookies: ReadonlyArray<string>
  /**
   * Looks up the caller's credential, and fails if it is no longer valid. Set only while that is still to be done before the
   * response (the trait `provenBy`).
   */
  verify: Effect.Effect<unknown, unknown> | undefined
  /** The user and the business of the request, for the log line; never a credential. */
  userId: number | undefined
  businessId: BusinessId | undefined
}

/** The state of a request that has just begun. */
export const requestState = (
  id: string,
  method: string,
  path: string,
  pattern: string | undefined,
  traits: Traits,
  startedAt: number
): RequestState => ({
  id,
  method,
  path,
  pattern,
  traits,
  startedAt,
  span: undefined,
  rateLimit: undefined,
  retryAfterSeconds: undefined,
  cookies: [],
  verify: undefined,
  userId: undefined,
  businessId: undefined
})

/**
 * The state of the current request. A reference with a default, because errors are encoded outside of the middleware
 * that could provide a service, and typed clients encode outside of any request.
 */
export const CurrentRequest = Context.Reference<RequestState>("@livery/contract/CurrentRequest", {
  defaultValue: () => requestState("req_000000000000000000000000", "GET", "/", undefined, defaultTraits, 0)
})

/** The first parameter of a request's path; empty if there is none. No request is refused for a wrong escape here. */
export const firstParameterOf = ({ path, pattern = "" }: RequestState): string => {
  const text = path.split("/")[pattern.split("/").findIndex((segment) => segment.startsWith(":"))] ?? ""
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The id of the current request. */
export const requestId = Effect.map(CurrentRequest, ({ id }) => id)
