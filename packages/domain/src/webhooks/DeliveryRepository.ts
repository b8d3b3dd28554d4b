/** The port to deliveries as a business sees them: their history, and what it asks of them. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId, DeliveryId, EndpointId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { DeliveryRecord, DeliveryStatus } from "./Delivery.ts"
import type { DomainEvent } from "../events/DomainEvent.ts"

/** What cancelling came to. */
export interface Cancelled {
  /** How many deliveries became `failed` by it. */
  readonly failed: number
  /** For how many of those that it ever did this to, an attempt may still begin (`RetryPolicy.lastStartSeconds`). */
  readonly unsettled: number
}

/**
 * - `list`: the deliveries of an endpoint, newest first, with the attempts of each; those of one status if told.
 * - `find`: one delivery and its endpoint's id; `None` if it is absent, another business's, or its endpoint deleted.
 * - `sendAgain`: a new pending delivery of a failed delivery's event to the same endpoint; `None`, and nothing
 *   written, if that one is not failed or the endpoint not enabled.
 * - `sendSample`: stores an event that no list of events shows, and one pending delivery of it to that endpoint;
 *   `None`, and nothing written, if the endpoint is not enabled.
 * - `cancel`: makes the pending deliveries of a disabled endpoint `failed`, and answers how many these were. Does
 *   nothing to an enabled one.
 *
 * What is sent wakes the dispatcher of this process once it is committed.
 */
export class DeliveryRepository extends Context.Service<
  DeliveryRepository,
  {
    readonly list: (
      businessId: BusinessId,
      endpointId: EndpointId,
      status: DeliveryStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<DeliveryRecord>>
    readonly find: (
      businessId: BusinessId,
      deliveryId: DeliveryId
    ) => Effect.Effect<Option.Option<{ readonly endpointId: EndpointId; readonly record: DeliveryRecord }>>
    readonly sendAgain: (
      businessId: BusinessId,
      deliveryId: DeliveryId
    ) => Effect.Effect<Option.Option<DeliveryId>>
    readonly sendSample: (
      event: DomainEvent,
      endpointId: EndpointId
    ) => Effect.Effect<Option.Option<DeliveryId>>
    readonly cancel: (businessId: BusinessId, endpointId: EndpointId) => Effect.Effect<Cancelled>
  }
>()("@livery/domain/DeliveryRepository") {}
