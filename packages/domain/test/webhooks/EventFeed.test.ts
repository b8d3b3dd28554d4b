import { assert, it } from "@effect/vitest"
import { EventFeed, EventHistory } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { business } from "../support/People.ts"

const body =
  '{"id":"evt_1","type":"trip.created","created":1,"data":{"z":1,"a":{"n":1.5}},"meta":{"business_id":1}}'

const feed = (asked: Array<ReadonlyArray<unknown>>) =>
  EventFeed.layer.pipe(
    Layer.provide(
      Layer.succeed(
        EventHistory,
        EventHistory.of({
          after: (businessId, cursor, limit) =>
            Effect.sync(() => {
              asked.push([businessId, cursor, limit])
              return cursor === "wrong"
                ? Option.none()
                : Option.some({ bodies: [body], cursor: "next", hasMore: true })
            }),
          end: (businessId) =>
            Effect.sync(() => {
              asked.push([businessId, "end"])
              return "end"
            })
        })
      )
    )
  )

it.effect("returns the acting business's events as they were sent, 25 by default", () =>
  Effect.gen(function* () {
    const asked: Array<ReadonlyArray<unknown>> = []
    yield* Effect.gen(function* () {
      const { after } = yield* EventFeed
      const { cursor, events, hasMore } = yield* after(business(7), undefined)
      assert.deepStrictEqual([cursor, hasMore], ["next", true])
      assert.deepStrictEqual(
        events.map((event) => JSON.stringify(event)),
        [body]
      )
      yield* after(business(7), "next", 3)
    }).pipe(Effect.provide(feed(asked)))
    assert.deepStrictEqual(asked, [
      [7, undefined, 25],
      [7, "next", 3]
    ])
  })
)

it.effect("starts after the present events without reading them", () =>
  Effect.gen(function* () {
    const asked: Array<ReadonlyArray<unknown>> = []
    const page = yield* EventFeed.use(({ after }) => after(business(7), "latest")).pipe(
      Effect.provide(feed(asked))
    )
    assert.deepStrictEqual(page, { events: [], cursor: "end", hasMore: false })
    assert.deepStrictEqual(asked, [[7, "end"]])
  })
)

it.effect("names the field of a cursor that is none", () =>
  Effect.gen(function* () {
    const { after } = yield* EventFeed
    const refusal = yield* Effect.flip(after(business(1), "wrong"))
    assert.deepStrictEqual(refusal.issues, [{ field: "after", issue: "invalid" }])
  }).pipe(Effect.provide(feed([])))
)
