import { assert, it } from "@effect/vitest"
import { BusinessId, EventFeed, EventHistory, EventLog } from "@livery/domain"
import { Memory } from "@livery/memory"
import { Effect, Layer } from "effect"
import { business } from "../support/People.ts"

/** The body of an event with a number. Its fields are in an order of its own. */
const bodyOf = (number: number) =>
  `{"id":"evt_${number}","type":"trip.created","created":1,"data":{"z":1,"a":{"n":1.5}},"meta":{"business_id":7}}`

/** The feed of the events in memory, and its calls of the port. */
const feed = Effect.gen(function* () {
  const asked: Array<ReadonlyArray<unknown>> = []
  const Observed = Layer.effect(
    EventHistory,
    Effect.map(EventHistory, (history) =>
      EventHistory.of({
        after: (businessId, cursor, limit) =>
          Effect.suspend(() => {
            asked.push([businessId, cursor, limit])
            return history.after(businessId, cursor, limit)
          }),
        end: (businessId) =>
          Effect.suspend(() => {
            asked.push([businessId, "end"])
            return history.end(businessId)
          })
      })
    )
  )
  const context = yield* Layer.build(
    EventFeed.layer.pipe(Layer.provide(Observed), Layer.provideMerge(Memory.layer))
  )
  const { after } = yield* Effect.provide(EventFeed, context)
  const { record } = yield* Effect.provide(EventLog, context)
  return {
    asked,
    after,
    /** Records events of a business, with the numbers from `first` to `last`. */
    record: (businessId: number, first: number, last: number) =>
      Effect.forEach(
        Array.from({ length: last - first + 1 }, (_, index) => first + index),
        (number) =>
          record({
            eventId: `evt_${number}`,
            businessId: BusinessId.make(businessId),
            type: "trip.created",
            body: bodyOf(number)
          })
      )
  }
})

it.effect("returns the acting business's events as they were sent, 25 by default", () =>
  Effect.gen(function* () {
    const { after, asked, record } = yield* feed
    yield* record(7, 1, 10)
    yield* record(8, 11, 12)
    yield* record(7, 13, 40)
    const { cursor, events, hasMore } = yield* after(business(7), undefined)
    assert.isTrue(hasMore)
    assert.lengthOf(events, 25)
    const next = yield* after(business(7), cursor, 3)
    assert.deepStrictEqual(
      [...events, ...next.events].map((event) => JSON.stringify(event)),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...Array.from({ length: 18 }, (_, index) => 13 + index)].map(bodyOf)
    )
    assert.deepStrictEqual(asked, [
      [7, undefined, 25],
      [7, cursor, 3]
    ])
  })
)

it.effect("starts after the present events without reading them", () =>
  Effect.gen(function* () {
    const { after, asked, record } = yield* feed
    yield* record(7, 1, 2)
    const { cursor, ...page } = yield* after(business(7), "latest")
    assert.deepStrictEqual(page, { events: [], hasMore: false })
    assert.deepStrictEqual(asked, [[7, "end"]])
    yield* record(7, 3, 3)
    const { events } = yield* after(business(7), cursor)
    assert.deepStrictEqual(
      events.map((event) => JSON.stringify(event)),
      [bodyOf(3)]
    )
  })
)

it.effect("names the field of an invalid cursor", () =>
  Effect.gen(function* () {
    const { after } = yield* feed
    const refusal = yield* Effect.flip(after(business(1), "wrong"))
    assert.deepStrictEqual(refusal.issues, [{ field: "after", issue: "invalid" }])
  })
)
