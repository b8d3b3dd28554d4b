/**
 * `POST /moves`: takes the steps of a move of a business from another installation, for a super-admin. It is no part of the API:
 * only `livery move` of the same version sends them.
 */
import { ByteSize, Context, Effect, Option, Redacted, Schema } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  Authentication,
  BusinessTransfer,
  CurrentActor,
  MoveStep,
  signedInUser,
  superAdmin
} from "@livery/domain"
import { CurrentRequest, formOfError, page, uncached } from "@livery/contract"
import { actorOf } from "../http/access/AdmissionRequest.ts"
import { limit, RateLimits } from "../http/access/RateLimits.ts"
import { addressOf, TrustedProxies } from "../http/request/ClientAddress.ts"
import { bearerOf } from "../http/request/IncomingRequest.ts"
import type { PageHandler } from "../http/pipeline/RequestSteps.ts"
import { route } from "../http/pipeline/Routes.ts"

/** The route, for the table of routes. */
export const movesRoute = route("POST", "/moves", Context.merge(page, uncached))

/** The largest body: one row of a table may be larger than the bodies of the API. */
const largestStep = ByteSize.mebibytes(16)

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(MoveStep))

/** Makes the handler of the route. Without the use case (the ports in memory), no business arrives. */
export const makeMovesPage = Effect.gen(function* () {
  const authentication = yield* Authentication
  const arrivals = Option.getOrUndefined(yield* Effect.serviceOption(BusinessTransfer))?.arrivals
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies

  const page: PageHandler = () =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const state = yield* CurrentRequest
      const credential = bearerOf(request)
      const answered = Effect.gen(function* () {
        const { principal, user } = yield* authentication.principal(Redacted.make(credential)).pipe(
          Effect.tap(superAdmin),
          Effect.flatMap((principal) =>
            Effect.map(signedInUser(principal), ({ user }) => ({ principal, user }))
          ),
          Effect.tapError(() => limit(limits, state, "public", addressOf(request, trusted)))
        )
        const text = yield* Effect.orDie(
          Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, largestStep)
        )
        const step = Option.getOrUndefined(decode(text))
        if (arrivals === undefined || step === undefined) return HttpServerResponse.empty({ status: 404 })
        const answer = yield* Effect.provideService(
          arrivals.take(step, user.user_id),
          CurrentActor,
          actorOf(principal, credential)
        )
        return HttpServerResponse.jsonUnsafe({ data: answer, meta: { request_id: state.id } })
      })
      const refusal = (error: unknown) => {
        const form = formOfError(error)
        return Effect.succeed(
          HttpServerResponse.jsonUnsafe(form?.body(error, state), { status: form?.status ?? 500 })
        )
      }
      return yield* answered.pipe(Effect.catch(refusal))
    })
  return page
})
