/** The feed of a business's events, for receivers that missed some (docs/api/webhooks.md). */
import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EventBody, FeedLimit } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, summary, wholeNumber } from "../http/Contract.ts"
import { requestId } from "../http/CurrentRequest.ts"
import { type EnvelopeForm, envelopeForm } from "../http/Envelope.ts"

/** A page of the feed, as the handler returns it. */
const EventPage = Schema.Struct({
  events: Schema.Array(Schema.toType(EventBody)),
  cursor: Schema.String,
  hasMore: Schema.Boolean
})

const paginationOf = ({ cursor, events, hasMore }: typeof EventPage.Type) => ({
  count: events.length,
  has_more: hasMore,
  next_after: cursor
})

const form: EnvelopeForm<typeof EventPage.Type> = {
  isList: true,
  schema: Schema.Array(EventBody),
  data: ({ events }) => events,
  meta: (page) => ({ pagination: paginationOf(page) })
}

const EventListBody = Schema.Struct({
  data: Schema.Array(EventBody),
  meta: Schema.Struct({
    request_id: Schema.String,
    pagination: Schema.Struct({
      count: Schema.Int,
      has_more: Schema.Boolean,
      next_after: Schema.String.annotate({
        description: "Sent as `after`, it returns the events after these."
      })
    })
  })
}).pipe(
  Schema.annotate({ identifier: "EventListBody" }),
  Schema.decodeTo(
    EventPage,
    SchemaTransformation.transformEffect({
      decode: ({ data, meta: { pagination } }) =>
        Effect.succeed({ events: data, cursor: pagination.next_after, hasMore: pagination.has_more }),
      encode: (page) =>
        Effect.map(requestId, (request_id) => ({
          data: page.events,
          meta: { request_id, pagination: paginationOf(page) }
        }))
    })
  ),
  Schema.annotate({ [envelopeForm]: form })
)

/** The route `/events`: the event feed. For API keys and members with a right in the area `webhooks`. */
export const EventsApi = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        after: Schema.optionalKey(
          Schema.String.annotate({
            description:
              "A `next_after` of an earlier response, or `latest` to start after all present events; without it, from the " +
              "oldest event that is retained. 422 `out_of_range` if events after it were deleted."
          })
        ),
        limit: Schema.optionalKey(wholeNumber(FeedLimit))
      },
      success: EventListBody
    }).annotateMerge(
      summary(
        "The business's events as they were sent, for receivers that missed some; those of one record in the order of its changes"
      )
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("webhooks"))
  .prefix(`${basePath}/events`)
  .annotateMerge(OpenApi.annotations({ title: "Events" }))
