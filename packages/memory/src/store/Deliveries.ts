/** New deliveries. Recording an event and sending one again both make them. */
import { type BusinessId, DeliveryId, DeliverySchedule, type EndpointId } from "@livery/domain"
import type { Store } from "./Store.ts"

/** Stores a delivery that is due at once. `now` is in seconds since 1970. */
export const addDelivery = (
  { deliveries }: Store["Service"],
  delivery: { readonly businessId: BusinessId; readonly endpointId: EndpointId; readonly eventId: string },
  now: number
): DeliveryId => {
  const deliveryId = DeliveryId.make(deliveries.next())
  deliveries.set(deliveryId, {
    ...DeliverySchedule.created(now),
    ...delivery,
    deliveryId,
    createdAt: now,
    lastError: null,
    responseStatus: null,
    attempts: []
  })
  return deliveryId
}
