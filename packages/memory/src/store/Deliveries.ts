/** Parts of the delivery ports: adding a delivery, which recording an event and sending it again both do, and its times. */
import { type BusinessId, DeliveryId, DeliverySchedule, type EndpointId, WallClock } from "@livery/domain"
import { DateTime } from "effect"
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

/** A time in seconds since 1970, in RFC 3339. */
export const timestamp = (seconds: number): string => WallClock.rfc3339(DateTime.makeUnsafe(seconds * 1000))
