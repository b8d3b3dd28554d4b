import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { EventFeed } from "@livery/domain"
import { Api } from "../Api.ts"
import { CurrentBusiness } from "../http/contract/Access.ts"

export const EventsHandlers = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fn(function* (handlers) {
    const feed = yield* EventFeed
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        return yield* feed.after(yield* CurrentBusiness, query.after, query.limit)
      })
    })
  })
)
