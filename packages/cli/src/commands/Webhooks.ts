/** `livery webhooks …`: lists the deliveries of a business, and retries one. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  BusinessId,
  defaultPerPage,
  DeliveryId,
  type Delivery,
  DeliveryStatus,
  EndpointId,
  WebhookDeliveries
} from "@livery/domain"
import { paginationOf } from "@livery/http-adapter"
import { descriptions } from "../Descriptions.ts"
import { actor } from "../Actor.ts"
import { Livery } from "../Composition.ts"
import { refused } from "../Refusal.ts"

const json = Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print JSON"))

const business = Flag.Int("business").pipe(
  Flag.withSchema(BusinessId),
  Flag.withDescription("The id of the business that the endpoint belongs to")
)

const lineOf = (delivery: Delivery) =>
  [
    delivery.delivery_id,
    delivery.created_at,
    delivery.event_type,
    delivery.event_id,
    delivery.status,
    `${delivery.attempt} of 6`,
    ...(delivery.next_attempt_at === null ? [] : [`next ${delivery.next_attempt_at}`]),
    ...(delivery.last_error === null ? [] : [delivery.last_error])
  ].join("  ")

const deliveries = Command.make(
  "deliveries",
  {
    endpointId: Argument.Int("endpoint-id").pipe(
      Argument.withSchema(EndpointId),
      Argument.withDescription("The id of the endpoint, as in GET /webhooks")
    ),
    business,
    status: Flag.Literals("status", DeliveryStatus.literals).pipe(
      Flag.optional,
      Flag.withDescription("Only deliveries with this status")
    ),
    page: Flag.Int("page").pipe(
      Flag.withDefault(1),
      Flag.withDescription("The number of the page; a page has 25 deliveries")
    ),
    json
  },
  Effect.fn(function* ({ business: business_id, endpointId, json: asJson, page: pageNumber, status }) {
    const request = { page: Math.max(1, pageNumber), perPage: defaultPerPage }
    const page = yield* WebhookDeliveries.use((webhooks) =>
      webhooks.list({ business_id }, endpointId, Option.getOrUndefined(status), request)
    ).pipe(Effect.mapError(refused), Effect.provide(Livery))
    const pagination = paginationOf(request, page)
    if (asJson) return yield* Console.log(JSON.stringify({ deliveries: page.items, pagination }))
    return yield* Console.log(page.items.length === 0 ? "No deliveries" : page.items.map(lineOf).join("\n"))
  })
).pipe(
  Command.withDescription("An endpoint's deliveries, newest first"),
  Command.withExamples([
    {
      command: "livery webhooks deliveries 5 --business 7 --status failed",
      description: "The failed deliveries of endpoint 5"
    }
  ])
)

const retry = Command.make(
  "retry",
  {
    deliveryId: Argument.Int("delivery-id").pipe(
      Argument.withSchema(DeliveryId),
      Argument.withDescription("The id of the delivery, as in livery webhooks deliveries")
    ),
    business,
    json
  },
  Effect.fn(function* ({ business: business_id, deliveryId, json: asJson }) {
    const delivery = yield* WebhookDeliveries.use((webhooks) =>
      webhooks.retry({ business_id }, { deliveryId }, actor())
    ).pipe(Effect.mapError(refused), Effect.provide(Livery))
    return yield* Console.log(
      asJson
        ? JSON.stringify(delivery)
        : `Delivery ${delivery.delivery_id} sends ${delivery.event_id} (${delivery.event_type}) again`
    )
  })
).pipe(
  Command.withDescription("Send a failed delivery's event again, as a new delivery"),
  Command.withExamples([{ command: "livery webhooks retry 1234 --business 7", description: "Delivery 1234" }])
)

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription(descriptions.webhooks),
  Command.withSubcommands([deliveries, retry])
)
