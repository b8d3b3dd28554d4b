import { CurrentRequest, requestId } from "@livery/contract"
import { Notices } from "@livery/domain"
import { Effect, Option, Redacted, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { limit, RateLimits } from "../http/access/RateLimits.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { addressOf, TrustedProxies } from "../http/request/ClientAddress.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"
import { paged } from "../http/responses/ListedPage.ts"

export const NoticesHandlers = handlersOf("notices", function* (handlers) {
  const notices = yield* Notices
  return handlers({
    read: forBusiness((acting) => Effect.map(notices.read(acting), withEtag)),
    update: forBusiness((acting, { headers, payload }) =>
      Effect.map(notices.update(acting, payload, preconditionOf(headers)), withEtag)
    ),
    preview: forBusiness((acting, { payload }) => notices.preview(acting, payload)),
    readGateway: forBusiness((acting) => notices.readGateway(acting)),
    putGateway: forBusiness((acting, { payload }) => notices.putGateway(acting, payload)),
    removeGateway: forBusiness((acting) => notices.removeGateway(acting)),
    readPreferences: forBusiness((acting, { params }) =>
      Effect.map(notices.readPreferences(acting, params.id), withEtag)
    ),
    changePreferences: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(notices.putPreferences(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    ofTrip: forBusiness((acting, { params, query }) =>
      paged(query, (page) => notices.ofTrip(acting, params.id, page))
    ),
    message: forBusiness((acting, { params, payload }) => notices.message(acting, params.id, payload)),
    pushKey: () => notices.pushKey
  })
})

const json = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The content of a callback: JSON, or the fields of a form. Gateways name either type wrongly, so the text decides. */
const contentOf = (text: string): unknown =>
  Option.getOrElse(json(text), () => Object.fromEntries(new URLSearchParams(text)))

export const TextCallbacksHandlers = handlersOf("textCallbacks", function* (handlers) {
  const notices = yield* Notices
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies
  // Raw: gateways send JSON or a form.
  return handlers({
    receive: {
      raw: Effect.fnUntraced(function* ({ params, request }) {
        const body = yield* Effect.orDie(request.text)
        const received = yield* notices
          .callback(Redacted.make(params.token), contentOf(body))
          .pipe(
            Effect.tapErrorTag("NotFound", () =>
              Effect.flatMap(CurrentRequest, (state) =>
                limit(limits, state, "public", addressOf(request, trusted))
              )
            )
          )
        return HttpServerResponse.jsonUnsafe({ data: received, meta: { request_id: yield* requestId } })
      })
    }
  })
})
