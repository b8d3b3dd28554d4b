import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { defaultPerPage, WebhookDeliveries, Webhooks } from "@livery/domain"
import { Api } from "../Api.ts"
import { Acting } from "../http/Access.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/Etag.ts"
import { paginationOf } from "../http/Pages.ts"

export const WebhooksHandlers = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fn(function* (handlers) {
    const webhooks = yield* Webhooks
    const webhookDeliveries = yield* WebhookDeliveries
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { page = 1, per_page: perPage = defaultPerPage } }) {
        const found = yield* webhooks.list(yield* Acting, { page, perPage })
        return { items: found.items, pagination: paginationOf({ page, perPage }, found) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* webhooks.subscribe(yield* Acting, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* webhooks.get(yield* Acting, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(yield* webhooks.update(yield* Acting, params.id, payload, preconditionOf(headers)))
      }),
      remove: Effect.fnUntraced(function* ({ headers, params }) {
        const last = yield* webhooks.remove(yield* Acting, params.id, preconditionOf(headers))
        return withEtagOf(last, { deleted: true })
      }),
      replaceSecret: Effect.fnUntraced(function* ({ params }) {
        return yield* webhooks.replaceSecret(yield* Acting, params.id)
      }),
      test: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* webhookDeliveries.sendSample(yield* Acting, params.id, payload)
      }),
      deliveries: Effect.fnUntraced(function* ({
        params,
        query: { page = 1, per_page: perPage = defaultPerPage, status }
      }) {
        const found = yield* webhookDeliveries.list(yield* Acting, params.id, status, { page, perPage })
        return { items: found.items, pagination: paginationOf({ page, perPage }, found) }
      }),
      retry: Effect.fnUntraced(function* ({ params }) {
        const delivery = { deliveryId: params.delivery_id, endpointId: params.id }
        return yield* webhookDeliveries.retry(yield* Acting, delivery)
      })
    })
  })
)
