import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { DispatchBoard } from "@livery/domain"
import { Api } from "../Api.ts"
import { Acting } from "../http/Access.ts"
import { paged } from "../http/Pages.ts"

export const DispatchHandlers = HttpApiBuilder.group(
  Api,
  "dispatch",
  Effect.fn(function* (handlers) {
    const board = yield* DispatchBoard
    return handlers.handle(
      "board",
      Effect.fnUntraced(function* ({ query }) {
        const acting = yield* Acting
        return yield* paged(query, (page) => board.day(acting, query, page))
      })
    )
  })
)
