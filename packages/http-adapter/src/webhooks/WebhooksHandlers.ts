import { Effect } from "effect"
import { WebhookDeliveries, Webhooks } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const WebhooksHandlers = handlersOf(
  Api,
  "webhooks",
  Effect.fn(function* (handlers) {
    const webhooks = yield* Webhooks
    const webhookDeliveries = yield* WebhookDeliveries
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => webhooks.list(acting, page))
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* webhooks.subscribe(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* webhooks.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* webhooks.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params }) {
        const last = yield* webhooks.remove(yield* CurrentBusiness, params.id, preconditionOf(headers))
        return withEtagOf(last, { deleted: true })
      }),
      replaceSecret: Effect.fnUntraced(function* ({ params }) {
        return yield* webhooks.replaceSecret(yield* CurrentBusiness, params.id)
      }),
      test: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* webhookDeliveries.sendSample(yield* CurrentBusiness, params.id, payload)
      }),
      deliveries: Effect.fnUntraced(function* ({ params, query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => webhookDeliveries.list(acting, params.id, query.status, page))
      }),
      retry: Effect.fnUntraced(function* ({ params }) {
        const delivery = { deliveryId: params.delivery_id, endpointId: params.id }
        return yield* webhookDeliveries.retry(yield* CurrentBusiness, delivery)
      })
    })
  })
)
