/** The dispatch board (docs/api/trips.md). */
import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AssignmentBatch,
  AssignmentRecord,
  BoardCounts,
  BoardFilter,
  BoardGap,
  BoardJobRecord,
  BoardLeaving,
  BoardPerPage,
  BoardPositionChange,
  DayCopy,
  DispatchPlanRecord,
  DispatchPlanRequest,
  PageNumber,
  TripRecordWithWarnings,
  GroupChange
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, callsOut, created, dryRunParameter, flag, summary, wholeNumber } from "../http/Contract.ts"
import { requestId } from "../http/CurrentRequest.ts"
import { data, type EnvelopeForm, envelopeForm } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { Pagination } from "../http/Pages.ts"
import { tagged } from "../http/SafeEdits.ts"
import { GroupBody } from "./TripBodies.ts"
import { tripCriteriaQuery } from "./TripCriteriaQuery.ts"

/** A page of the board, as the handler returns it. */
const BoardPageSchema = Schema.Struct({
  items: Schema.Array(Schema.toType(BoardJobRecord)),
  pagination: Pagination,
  counts: Schema.optionalKey(BoardCounts)
})

/** The type of the schema above, with a name that declarations can use. */
export interface BoardPage extends Schema.Schema.Type<typeof BoardPageSchema> {}

const boardMeta = ({ counts, pagination }: BoardPage) => ({
  pagination,
  ...(counts === undefined ? {} : { counts })
})

const boardForm: EnvelopeForm<BoardPage> = {
  isList: true,
  schema: Schema.Array(BoardJobRecord),
  data: ({ items }) => items,
  meta: boardMeta
}

const BoardWireSchema = Schema.Struct({
  data: Schema.Array(BoardJobRecord),
  meta: Schema.Struct({
    request_id: Schema.String,
    pagination: Pagination,
    counts: Schema.optionalKey(
      BoardCounts.annotate({ description: "Of the whole board, with its filters, not only of the page." })
    )
  })
})

/** The body of the board. */
export interface BoardWire extends Schema.Codec.Encoded<typeof BoardWireSchema> {}

const BoardBody: Schema.Codec<BoardPage, BoardWire> = BoardWireSchema.pipe(
  Schema.annotate({ identifier: "BoardBody" }),
  Schema.decodeTo(
    BoardPageSchema,
    SchemaTransformation.transformEffect({
      decode: ({ data: items, meta: { counts, pagination } }) =>
        Effect.succeed({ items, pagination, ...(counts === undefined ? {} : { counts }) }),
      encode: (page) =>
        Effect.map(requestId, (request_id) => ({
          data: page.items,
          meta: { request_id, ...boardMeta(page) }
        }))
    })
  ),
  Schema.annotate({ [envelopeForm]: boardForm })
)

/**
 * A job of the board, with a name that declarations can use.
 *
 * @public
 */
export interface BoardJob extends Schema.Schema.Type<typeof BoardJobRecord> {}

const EventData: Schema.Codec<
  | BoardJob
  | typeof BoardPositionChange.Type
  | typeof BoardLeaving.Type
  | typeof BoardCounts.Type
  | typeof BoardGap.Type
> = Schema.Union([BoardJobRecord, BoardPositionChange, BoardLeaving, BoardCounts, BoardGap])

const BoardEvents = HttpApiSchema.StreamSse({
  events: Schema.Struct({
    id: Schema.optionalKey(Schema.UndefinedOr(Schema.String)),
    event: Schema.Literals(["gap", "trip", "assignment", "position", "gone", "counts"]),
    data: Schema.fromJsonString(EventData)
  })
})

const { date, from, to } = BoardFilter.fields

/**
 * The routes under `/dispatch`: the dispatch board, and changes of many trips at once. For API keys and members with a
 * right in the area `operations`.
 */
export const DispatchApi = HttpApiGroup.make("dispatch")
  .add(
    HttpApiEndpoint.get("board", "/trips", {
      query: {
        ...BoardFilter.fields,
        ...tripCriteriaQuery,
        page: Schema.optionalKey(wholeNumber(PageNumber)),
        per_page: Schema.optionalKey(wholeNumber(BoardPerPage)),
        counts: Schema.optionalKey(flag)
      },
      success: tagged(BoardBody)
    }).annotateMerge(
      summary(
        "The jobs of a day in the business's time zone (default: today) or between two instants, the soonest first, with " +
          "drivers, cars and warnings; cancelled jobs only with `status=cancelled`"
      )
    ),
    HttpApiEndpoint.get("follow", "/stream", {
      query: { date, from, to },
      headers: {
        "last-event-id": Schema.optionalKey(
          Schema.String.annotate({
            description: "The id of the last event that was received, to resume after it."
          })
        )
      },
      success: BoardEvents
    }).annotateMerge(
      summary(
        "What changes on the board of a day, or between two instants, as server-sent events; after a `gap`, read the board"
      )
    ),
    HttpApiEndpoint.post("assign", "/assignments", {
      query: {
        [dryRunParameter]: Schema.optionalKey(flag),
        refuse_clashes: Schema.optionalKey(
          flag.pipe(
            Schema.annotateEncoded({
              description:
                "Refuses the batch for each clash of an entry without `force`, whatever the clash policy of the business is."
            })
          )
        )
      },
      payload: AssignmentBatch,
      success: data(Schema.Array(AssignmentRecord), "AssignmentsBody"),
      error: wireErrors.confirmationRequired
    }).annotateMerge(
      summary(
        "Change the drivers and cars of up to 600 trips, all or none; clashes are checked on the result, so drivers " +
          "can exchange trips"
      )
    ),
    HttpApiEndpoint.post("plan", "/plan", {
      payload: DispatchPlanRequest,
      success: data(DispatchPlanRecord, "DispatchPlanBody")
    })
      .annotateMerge(
        summary(
          "Propose drivers for the trips of a day, or between two instants, that have none, with few kilometres without a " +
            "passenger; nothing is stored"
        )
      )
      .annotateMerge(callsOut),
    HttpApiEndpoint.post("copyDay", "/copy-day", {
      payload: DayCopy,
      success: data(Schema.Array(TripRecordWithWarnings), "CopiedDayBody").pipe(created),
      error: wireErrors.confirmationRequired
    }).annotateMerge(
      summary(
        "Book copies of the trips of a day on another day, at the same times and without drivers; all or none"
      )
    ),
    HttpApiEndpoint.post("changeGroup", "/groups", {
      payload: GroupChange,
      success: GroupBody,
      error: [wireErrors.conflict, wireErrors.confirmationRequired]
    }).annotateMerge(
      summary(
        "Cancel the trips of a group that have not ended, or change their time, fields or drivers: all of them or those from one trip on, all or none"
      )
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/dispatch`)
  .annotateMerge(OpenApi.annotations({ title: "Dispatch" }))
