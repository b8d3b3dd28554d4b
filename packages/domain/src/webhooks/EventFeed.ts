/** The feed of all events of a business, for receivers that missed some (docs/api/webhooks.md). */
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { invalidField, InvalidInput } from "../kernel/Errors.ts"
import { EventBody } from "../events/EventBody.ts"
import { EventHistory } from "./EventHistory.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The number of events in a page by default. */
export const defaultFeedLimit = 25

/** A page of events in order. */
export interface EventPage {
  readonly events: ReadonlyArray<EventBody>
  /** The cursor after the last of the events; if there are none, the reader's cursor. */
  readonly cursor: string
  readonly hasMore: boolean
}

/** The text that a reader sends to start after the present events. No cursor has this text. */
export const latestCursor = "latest"

const decodeBodies = Schema.decodeUnknownEffect(Schema.Array(Schema.fromJsonString(EventBody)))

export class EventFeed extends Context.Service<EventFeed>()("@livery/domain/EventFeed", {
  make: Effect.gen(function* () {
    const history = yield* EventHistory

    return {
      /**
       * The events after a cursor, each as it was sent, without samples. A cursor is opaque, and stays valid as long
       * as the events after it are retained. `InvalidInput` for a text that is no cursor, and for a cursor after which
       * events were dropped. Without a cursor, the feed begins with the oldest event that is retained. The page after
       * {@link latestCursor} has no events, and the cursor from which later events follow.
       */
      after: traced("EventFeed.after")(function* (
        acting: ActingBusiness,
        cursor: string | undefined,
        limit: number = defaultFeedLimit
      ) {
        if (cursor === latestCursor)
          return { events: [], cursor: yield* history.end(acting.business_id), hasMore: false }
        const page = yield* history
          .after(acting.business_id, cursor, limit)
          .pipe(
            Effect.catchTag("EventsDropped", ({ message }) =>
              Effect.fail(
                new InvalidInput({ issues: [{ field: "after", issue: "out_of_range" }], advice: message })
              )
            )
          )
        if (Option.isNone(page)) return yield* invalidField("after", "invalid")
        const { bodies, ...rest } = page.value
        return { ...rest, events: yield* Effect.orDie(decodeBodies(bodies)) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(EventFeed, EventFeed.make)
}
