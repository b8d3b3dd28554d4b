/** Catching up with the events of a business (specification, Events). */
import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EventBody, FeedLimit } from "@livery/domain"
import { BusinessAccess } from "../http/Access.ts"
import { basePath, summary, wholeNumber } from "../http/Contract.ts"
import { RequestId } from "../http/Envelope.ts"

/** A stretch of events, as handlers give it. */
const Stretch = Schema.Struct({
  events: Schema.Array(Schema.toType(EventBody)),
  cursor: Schema.String,
  hasMore: Schema.Boolean
})

const EventListBody = Schema.Struct({
  data: Schema.Array(EventBody),
  meta: Schema.Struct({
    request_id: Schema.String,
    pagination: Schema.Struct({
      count: Schema.Int,
      has_more: Schema.Boolean,
      next_after: Schema.String.annotate({ description: "Send it as `after` to go on behind these events." })
    })
  })
}).pipe(
  Schema.annotate({ identifier: "EventListBody" }),
  Schema.decodeTo(
    Stretch,
    SchemaTransformation.transformEffect({
      decode: ({ data, meta: { pagination } }) =>
        Effect.succeed({ events: data, cursor: pagination.next_after, hasMore: pagination.has_more }),
      encode: ({ cursor, events, hasMore }) =>
        Effect.map(RequestId, (request_id) => ({
          data: events,
          meta: {
            request_id,
            pagination: { count: events.length, has_more: hasMore, next_after: cursor }
          }
        }))
    })
  )
)

export const EventsApi = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        after: Schema.optionalKey(
          Schema.String.annotate({
            description: "A `next_after` of an earlier answer; without it, from the first event"
          })
        ),
        limit: Schema.optionalKey(wholeNumber(FeedLimit))
      },
      success: EventListBody
    }).annotateMerge(
      summary(
        "Every event of the business, each as it was sent and those of a record in the order of its changes, to catch up"
      )
    )
  )
  .middleware(BusinessAccess)
  .prefix(`${basePath}/events`)
  .annotateMerge(OpenApi.annotations({ title: "Events" }))
