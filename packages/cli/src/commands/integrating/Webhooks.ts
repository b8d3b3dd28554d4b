/** `livery webhooks …`: lists the deliveries of a business, and retries one. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  BusinessId,
  defaultPerPage,
  DeliveryId,
  DeliveryStatus,
  EndpointId,
  WebhookDeliveries
} from "@livery/domain"
import { paginationOf } from "@livery/contract"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { actor } from "../../usage/Actor.ts"
import { pageFlag, printPage } from "../administration/AdminCommand.ts"
import { Livery } from "../../composition/Composition.ts"
import { refused } from "../../usage/Refusal.ts"
import type { Column } from "../../terminal/Tables.ts"

const business = Flag.Int("business").pipe(
  Flag.withSchema(BusinessId),
  Flag.withDescription("The id of the business that the endpoint belongs to")
)

const columns: ReadonlyArray<Column> = [
  ["delivery_id", "ID"],
  ["created_at", "CREATED"],
  ["event_type", "TYPE"],
  ["event_id", "EVENT"],
  ["status", "STATUS"],
  ["attempt", "ATTEMPTS"],
  ["next_attempt_at", "NEXT"],
  ["last_error", "ERROR"]
]

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
    page: pageFlag(defaultPerPage),
    json
  },
  Effect.fn(function* ({ business: business_id, endpointId, json: asJson, page: pageNumber, status }) {
    const request = { page: pageNumber, perPage: defaultPerPage }
    const page = yield* WebhookDeliveries.use((webhooks) =>
      webhooks.list({ business_id }, endpointId, Option.getOrUndefined(status), request)
    ).pipe(Effect.mapError(refused), Effect.provide(Livery))
    yield* printPage(
      { json: asJson, page: pageNumber },
      { name: "deliveries", items: page.items, pagination: paginationOf(request, page), columns }
    )
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
