import { Effect } from "effect"
import { EventFeed } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const EventsHandlers = handlersOf(
  Api,
  "events",
  Effect.fn(function* (handlers) {
    const feed = yield* EventFeed
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        return yield* feed.after(yield* CurrentBusiness, query.after, query.limit)
      })
    })
  })
)
