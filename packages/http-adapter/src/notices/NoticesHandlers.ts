import { CurrentRequest, requestId } from "@livery/contract"
import { Notices, TextGateways } from "@livery/domain"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { limit, RateLimits } from "../http/access/RateLimits.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { addressOf, TrustedProxies } from "../http/request/ClientAddress.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"
import { paged } from "../http/responses/ListedPage.ts"

export const NoticesHandlers = handlersOf("notices", function* (handlers) {
  const notices = yield* Notices
  const gateways = yield* TextGateways
  return handlers({
    read: forBusiness((acting) => Effect.map(notices.read(acting), withEtag)),
    update: forBusiness((acting, { headers, payload }) =>
      Effect.map(notices.update(acting, payload, preconditionOf(headers)), withEtag)
    ),
    preview: forBusiness((acting, { payload }) => notices.preview(acting, payload)),
    readGateway: forBusiness((acting) => gateways.read(acting)),
    putGateway: forBusiness((acting, { payload }) => gateways.put(acting, payload)),
    testGateway: forBusiness((acting, { payload }) => gateways.test(acting, payload)),
    removeGateway: forBusiness((acting) => gateways.remove(acting)),
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

export const TextCallbacksHandlers = handlersOf("textCallbacks", function* (handlers) {
  const gateways = yield* TextGateways
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies
  // Raw: gateways send JSON or a form, and a signature covers the body as it was sent.
  return handlers({
    receive: {
      raw: Effect.fnUntraced(function* ({ params, request }) {
        const body = yield* Effect.orDie(request.text)
        const { headers, url } = request
        const callback = {
          query: url.slice((url.indexOf("?") + 1 || url.length + 1) - 1),
          headers,
          body,
          form: [...new URLSearchParams(body)]
        }
        const counted = Effect.flatMap(CurrentRequest, (state) =>
          limit(limits, state, "public", addressOf(request, trusted))
        )
        const received = yield* gateways
          .callback(Redacted.make(params.token), callback)
          .pipe(Effect.tapError(() => counted))
        return HttpServerResponse.jsonUnsafe({ data: received, meta: { request_id: yield* requestId } })
      })
    }
  })
})
