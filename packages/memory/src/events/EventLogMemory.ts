import { DeliverySchedule, type DomainEvent, EventLog, WorkNotifier } from "@livery/domain"
import { Clock, Effect, Layer } from "effect"
import { addDelivery } from "../store/Deliveries.ts"
import { Store } from "../store/Store.ts"

/** Makes the method `record` of `EventLog`. */
export const makeRecordEvent = Effect.gen(function* () {
  const store = yield* Store
  const notifier = yield* WorkNotifier
  const { afterCommit, endpoints, events, step } = store

  return Effect.fnUntraced(function* (event: DomainEvent) {
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

export const layer = Layer.effect(
  EventLog,
  Effect.map(makeRecordEvent, (record) =>
    EventLog.of({ record, recordAll: (events) => Effect.forEach(events, record, { discard: true }) })
  )
)
