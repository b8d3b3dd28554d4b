/** The responses to requests for a business whose home is another installation, or that is being moved here. */
import { Effect, Option, Predicate } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { apiKeyPrefix, BusinessId, BusinessTransfer, namesBusiness, type Whereabouts } from "@livery/domain"
import type { RequestState } from "@livery/contract"
import { bearerOf, headerOf } from "../request/IncomingRequest.ts"
import { faultResponse } from "./FailedRequest.ts"
import { JsonReply, type Reply } from "./Reply.ts"

const isRefusalOfVisitor = (error: unknown) =>
  Predicate.isTagged(error, "NotFound") || Predicate.isTagged(error, "Unauthorized")

/** The suspended business that a caller acts for. */
const suspendedIn = (error: unknown): BusinessId | undefined =>
  Predicate.isTagged(error, "AccountSuspended") &&
  Predicate.hasProperty(error, "business_id") &&
  typeof error.business_id === "number"
    ? BusinessId.make(error.business_id)
    : undefined

/** Whether a page of this origin sends the request. Its policy forbids to follow a redirect to another origin. */
const isFromPage = (request: HttpServerRequest.HttpServerRequest) =>
  headerOf(request, "sec-fetch-site") === "same-origin"

/**
 * The response that names the new address: a redirect for an API key or a link, which the new home knows; 421 for an account,
 * which has to sign in there, and for a page, which then opens its address there.
 */
const movedReply = (
  { path, url }: Extract<Whereabouts, { readonly _tag: "Moved" }>,
  request: HttpServerRequest.HttpServerRequest,
  state: RequestState
): Reply => {
  const isKnownThere = namesBusiness(request.url) || bearerOf(request).startsWith(apiKeyPrefix)
  const isRedirect = isKnownThere && !isFromPage(request)
  const error = {
    type: "business_moved",
    message: isKnownThere
      ? `This business has moved to ${url}: send its requests there`
      : `This business has moved to ${url}: sign in there`,
    details: [{ url }]
  }
  const body = { error, meta: { request_id: state.id } }
  return isRedirect
    ? HttpServerResponse.jsonUnsafe(body, { status: 308, headers: { Location: url + path } })
    : new JsonReply(421, JSON.stringify(body))
}

const arrivingReply = (state: RequestState): Reply =>
  faultResponse(
    {
      isPlanned: true,
      message: "The business is being moved here; nothing was changed, and it is safe to try again",
      retryAfterSeconds: 5
    },
    state
  )

/**
 * Makes the function that replies to a refused request. `reply` is the reply of a business that is nowhere else. Without the use
 * case (the ports in memory), no business moves.
 */
export const makeMovedReplies = Effect.gen(function* () {
  const moved = Option.getOrUndefined(yield* Effect.serviceOption(BusinessTransfer))?.whereabouts
  return (
    error: unknown,
    request: HttpServerRequest.HttpServerRequest,
    state: RequestState,
    reply: () => Reply
  ): Effect.Effect<Reply> => {
    const businessId = suspendedIn(error)
    const isVisitor = businessId === undefined && isRefusalOfVisitor(error) && namesBusiness(request.url)
    if (moved === undefined || (businessId === undefined && !isVisitor)) return Effect.succeed(reply())
    const found =
      businessId === undefined ? moved.ofPath(request.url) : moved.ofBusiness(businessId, request.url)
    return Effect.map(
      Effect.catchDefect(found, () => Effect.succeed(Option.none<Whereabouts>())),
      Option.match({
        onNone: reply,
        onSome: (whereabouts) =>
          whereabouts._tag === "Arriving" ? arrivingReply(state) : movedReply(whereabouts, request, state)
      })
    )
  }
})
