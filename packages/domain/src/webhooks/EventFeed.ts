/** The feed of all events of a business, for receivers that missed some (specification, Events). */
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { InvalidInput } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { EventBody } from "../events/DomainEvent.ts"

/** The number of events that a reader may ask for at once. */
export const FeedLimit = Schema.Int.check(
  check<number>("out_of_range", (limit) => limit >= 1 && limit <= 100, { minimum: 1, maximum: 100 })
)

/** The number of events in a page by default. */
export const defaultFeedLimit = 25

/** A page of events in order. */
export interface EventPage {
  readonly events: ReadonlyArray<EventBody>
  /** The place after the last of the events; without events, the reader's place. */
  readonly cursor: string
  readonly hasMore: boolean
}

/**
 * The port that reads the events of a business, those of each record in the order of its changes: what was over before
 * an event was written comes before it.
 *
 * - `after`: up to `limit` events behind the cursor, or from the first without one; `None` for a text that is no
 *   cursor. An event is told only once none can come before it any more, so that a reader who goes on from its cursor
 *   misses nothing that commits late; a transaction that stays open holds back what is written after it began to write.
 */
export class EventHistory extends Context.Service<
  EventHistory,
  {
    readonly after: (
      businessId: BusinessId,
      cursor: string | undefined,
      limit: number
    ) => Effect.Effect<
      Option.Option<{
        readonly bodies: ReadonlyArray<string>
        readonly cursor: string
        readonly hasMore: boolean
      }>
    >
  }
>()("@livery/domain/EventHistory") {}

const decodeBodies = Schema.decodeUnknownEffect(Schema.Array(Schema.fromJsonString(EventBody)))

/**
 * - `after`: the events behind a cursor, each as it was sent. Samples are none. A cursor is opaque and stays valid;
 *   `InvalidInput` for what is no cursor.
 */
export class EventFeed extends Context.Service<
  EventFeed,
  {
    readonly after: (
      acting: ActingBusiness,
      cursor: string | undefined,
      limit?: number
    ) => Effect.Effect<EventPage, InvalidInput>
  }
>()("@livery/domain/EventFeed") {
  static readonly layer = Layer.effect(
    EventFeed,
    Effect.gen(function* () {
      const history = yield* EventHistory

      const after = Effect.fn("EventFeed.after")(function* (
        acting: ActingBusiness,
        cursor: string | undefined,
        limit: number = defaultFeedLimit
      ) {
        const found = yield* history.after(acting.business_id, cursor, limit)
        if (Option.isNone(found))
          return yield* new InvalidInput({ issues: [{ field: "after", issue: "invalid" }] })
        const { bodies, ...rest } = found.value
        return { ...rest, events: yield* Effect.orDie(decodeBodies(bodies)) }
      })

      return EventFeed.of({ after })
    })
  )
}
