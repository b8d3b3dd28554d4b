import { EventFeed } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const EventsHandlers = handlersOf("events", function* (handlers) {
  const feed = yield* EventFeed
  return handlers({
    list: forBusiness((acting, { query }) => feed.after(acting, query.after, query.limit))
  })
})
