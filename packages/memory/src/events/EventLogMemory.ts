/** The domain's `EventLog` in memory. */
import { DeliverySchedule, EventLog, WorkNotifier } from "@livery/domain"
import { Clock, Effect, Layer } from "effect"
import { addDelivery } from "../store/Deliveries.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const store = yield* Store
    const notifier = yield* WorkNotifier
    const { afterCommit, endpoints, events, step } = store

    return EventLog.of({
      record: Effect.fnUntraced(function* (event) {
        const now = (yield* Clock.currentTimeMillis) / 1000
        const subscribed = yield* step(() => {
          events.set(event.eventId, { ...event, position: events.next(), isSample: false })
          return endpoints
            .where((endpoint) => !endpoint.isDeleted && DeliverySchedule.isSubscribed(endpoint, event))
            .map(({ endpoint_id }) => {
              const { businessId, eventId } = event
              return addDelivery(store, { businessId, endpointId: endpoint_id, eventId }, now)
            })
        })
        if (subscribed.length > 0) yield* afterCommit(notifier.notify("deliveries"))
        yield* afterCommit(notifier.notify("events"))
      })
    })
  })
)
