import { Effect } from "effect"
import { WebhookDeliveries, Webhooks } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const WebhooksHandlers = handlersOf("webhooks", function* (handlers) {
  const webhooks = yield* Webhooks
  const webhookDeliveries = yield* WebhookDeliveries
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => webhooks.list(acting, page))),
    create: forBusiness((acting, { payload }) => webhooks.subscribe(acting, payload)),
    read: forBusiness((acting, { params }) => Effect.map(webhooks.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(webhooks.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params }) {
      const last = yield* webhooks.remove(yield* CurrentBusiness, params.id, preconditionOf(headers))
      return withEtagOf(last, { deleted: true })
    }),
    replaceSecret: forBusiness((acting, { params }) => webhooks.replaceSecret(acting, params.id)),
    test: forBusiness((acting, { params, payload }) =>
      webhookDeliveries.sendSample(acting, params.id, payload)
    ),
    deliveries: forBusiness((acting, { params, query }) =>
      paged(query, (page) => webhookDeliveries.list(acting, params.id, query.status, page))
    ),
    retry: Effect.fnUntraced(function* ({ params }) {
      const delivery = { deliveryId: params.delivery_id, endpointId: params.id }
      return yield* webhookDeliveries.retry(yield* CurrentBusiness, delivery)
    })
  })
})
