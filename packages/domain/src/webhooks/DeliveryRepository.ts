/** The port to the deliveries of a business: their history, retries, samples and cancelling. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId, DeliveryId, EndpointId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Delivery, DeliveryStatus } from "./Delivery.ts"
import type { DomainEvent } from "../events/DomainEvent.ts"

/** The result of cancelling. */
export interface Cancelled {
  /** How many deliveries it made `failed`. */
  readonly failed: number
  /**
   * How many deliveries of the endpoint, cancelled now or before, may still start an attempt
   * (`RetryPolicy.lastStartSeconds`).
   */
  readonly startable: number
}

/**
 * - `list`: the deliveries of an endpoint, newest first, with the attempts of each; only those of `status` if it is
 *   given.
 * - `find`: one delivery and its endpoint's id; `None` if it is absent, another business's, or its endpoint deleted.
 * - `sendAgain`: creates a new pending delivery of a failed delivery's event to the same endpoint; `None`, and nothing
 *   written, unless that one is failed, the endpoint enabled and the event retained.
 * - `sendSample`: stores an event that no list of events shows, and one pending delivery of it to that endpoint;
 *   `None`, and nothing written, if the endpoint is not enabled.
 * - `cancel`: makes the pending deliveries of a disabled endpoint `failed`, and returns how many. Does nothing to an
 *   enabled one.
 *
 * A new delivery wakes the dispatcher of this process after the commit.
 */
export class DeliveryRepository extends Context.Service<
  DeliveryRepository,
  {
    readonly list: (
      businessId: BusinessId,
      endpointId: EndpointId,
      status: DeliveryStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Delivery>>
    readonly find: (
      businessId: BusinessId,
      deliveryId: DeliveryId
    ) => Effect.Effect<Option.Option<{ readonly endpointId: EndpointId; readonly record: Delivery }>>
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
