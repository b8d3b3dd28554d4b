/** Webhook endpoints and the results of their deliveries (docs/api/webhooks.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  CreatedEndpointRecord,
  DeliveryRecord,
  DeliveryId,
  DeliveryStatus,
  EndpointChanges,
  EndpointId,
  EndpointInput,
  EndpointRecord,
  SampleInput
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const id = recordId(EndpointId)

const EndpointBody = tagged(data(EndpointRecord, "EndpointBody"))
const SecretBody = data(CreatedEndpointRecord, "CreatedEndpointBody")
const DeliveryBody = data(DeliveryRecord, "DeliveryBody")
const DeletedBody = tagged(data(Schema.Struct({ deleted: Schema.Boolean }), "EndpointDeletedBody"))

/**
 * The routes under `/webhooks`: endpoints, their secrets, their deliveries. For API keys and members with a right in
 * the area `webhooks`.
 */
export const WebhooksApi = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: paging,
      success: list(EndpointRecord, "EndpointListBody")
    }).annotateMerge(summary("The business's endpoints, the oldest first")),
    HttpApiEndpoint.post("create", "/", {
      payload: EndpointInput,
      success: SecretBody.pipe(created),
      error: wireErrors.conflict
    }).annotateMerge(
      summary("Create an endpoint; only this response has its secret. A business can have 50 endpoints")
    ),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id },
      success: EndpointBody,
      error: wireErrors.notFound
    }).annotateMerge(summary("One endpoint")),
    HttpApiEndpoint.patch("update", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: EndpointChanges,
      success: EndpointBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary(
        "Change an endpoint's address or events, or disable or enable it; a disabled one receives nothing"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id },
      headers: ifMatch,
      success: DeletedBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Delete an endpoint; no further events are sent to it")),
    HttpApiEndpoint.post("replaceSecret", "/:id/rotate-secret", {
      params: { id },
      success: SecretBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary(
        "Replace an endpoint's secret; only this response has it, and the old one stays valid for 24 hours"
      )
    ),
    HttpApiEndpoint.post("test", "/:id/test", {
      params: { id },
      payload: SampleInput,
      success: DeliveryBody.pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary("Send a sample event to an endpoint, signed like any event and with `meta.test` true")
    ),
    HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
      params: { id },
      query: { ...paging, status: Schema.optionalKey(DeliveryStatus) },
      success: list(DeliveryRecord, "DeliveryListBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("An endpoint's deliveries, newest first, with their attempts")),
    HttpApiEndpoint.post("retry", "/:id/deliveries/:delivery_id/retry", {
      params: { id, delivery_id: recordId(DeliveryId) },
      success: DeliveryBody.pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Send a failed delivery's event again, as a new delivery"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("webhooks"))
  .prefix(`${basePath}/webhooks`)
  .annotateMerge(OpenApi.annotations({ title: "Webhooks" }))
