import {
  type BusinessId,
  type DeliveryId,
  type Delivery,
  DeliveryRepository,
  DeliverySchedule,
  endpointDisabled,
  RetryPolicy,
  WorkNotifier
} from "@livery/domain"
import { Clock, Effect, Layer, Option } from "effect"
import { addDelivery, timestamp } from "../store/Deliveries.ts"
import { descending, pageOf } from "../store/Pages.ts"
import type { DeliveryRow } from "../store/Rows.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  DeliveryRepository,
  Effect.gen(function* () {
    const store = yield* Store
    const notifier = yield* WorkNotifier
    const { afterCommit, deliveries, endpoints, events, step } = store

    const recordOf = (row: DeliveryRow): ReadonlyArray<Delivery> => {
      const event = events.get(row.eventId)
      if (event === undefined) return []
      return [
        {
          delivery_id: row.deliveryId,
          event_id: row.eventId,
          event_type: event.type,
          status: row.status,
          attempt: row.attempt,
          next_attempt_at:
            row.claimId === null && row.nextAttemptAt !== null ? timestamp(row.nextAttemptAt) : null,
          last_error: row.lastError,
          response_status: row.responseStatus,
          created_at: timestamp(row.createdAt),
          attempts: row.attempts
        }
      ]
    }

    /** A delivery of the business to an endpoint that is not deleted. */
    const find = (businessId: BusinessId, deliveryId: DeliveryId) => {
      const row = deliveries.get(deliveryId)
      const endpoint = row && endpoints.get(row.endpointId)
      return row?.businessId === businessId && endpoint?.isDeleted === false ? { row, endpoint } : undefined
    }

    /** Runs a step that may add a delivery, and wakes the dispatcher for it after the commit. */
    const adding = (body: (now: number) => DeliveryId | undefined) =>
      Effect.gen(function* () {
        const now = (yield* Clock.currentTimeMillis) / 1000
        const added = yield* step(() => body(now))
        if (added !== undefined) yield* afterCommit(notifier.notify("deliveries"))
        return Option.fromUndefinedOr(added)
      })

    return DeliveryRepository.of({
      list: (businessId, endpointId, status, page) =>
        step(() =>
          pageOf(
            deliveries
              .where(
                (row) =>
                  row.businessId === businessId &&
                  row.endpointId === endpointId &&
                  (status ?? row.status) === row.status
              )
              .toSorted(descending(({ deliveryId }) => [deliveryId]))
              .flatMap(recordOf),
            page
          )
        ),
      find: (businessId, deliveryId) =>
        step(() => {
          const delivery = find(businessId, deliveryId)
          if (delivery === undefined) return Option.none()
          const { endpointId } = delivery.row
          return Option.map(Option.fromUndefinedOr(recordOf(delivery.row)[0]), (record) => ({
            endpointId,
            record
          }))
        }),
      sendAgain: (businessId, deliveryId) =>
        adding((now) => {
          const delivery = find(businessId, deliveryId)
          if (delivery?.row.status !== "failed" || delivery.endpoint.status !== "enabled") return undefined
          const { endpointId, eventId } = delivery.row
          return addDelivery(store, { businessId, endpointId, eventId }, now)
        }),
      sendSample: (event, endpointId) =>
        adding((now) => {
          const endpoint = endpoints.get(endpointId)
          const { businessId, eventId } = event
          if (endpoint?.business_id !== businessId || endpoint.status !== "enabled") return undefined
          events.set(eventId, { ...event, position: events.next(), isSample: true })
          return addDelivery(store, { businessId, endpointId, eventId }, now)
        }),
      cancel: (businessId, endpointId) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) =>
          step(() => {
            const now = millis / 1000
            const ofEndpoint = () =>
              deliveries.where((row) => row.businessId === businessId && row.endpointId === endpointId)
            const isDisabled = endpoints.get(endpointId)?.status === "disabled"
            const pending = ofEndpoint().filter(({ status }) => isDisabled && status === "pending")
            for (const row of pending)
              deliveries.set(row.deliveryId, {
                ...DeliverySchedule.cancel(row, now),
                lastError: endpointDisabled
              })
            const startable = ofEndpoint().filter(
              ({ cancelledAt, claimId, status }) =>
                status === "failed" &&
                claimId !== null &&
                cancelledAt !== null &&
                cancelledAt > now - RetryPolicy.lastStartSeconds
            )
            return { failed: pending.length, startable: startable.length }
          })
        )
    })
  })
)
