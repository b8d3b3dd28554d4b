import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { defaultPerPage, DispatchBoard } from "@livery/domain"
import { Api } from "../Api.ts"
import { Acting } from "../http/Access.ts"
import { paginationOf } from "../http/Pages.ts"

export const DispatchHandlers = HttpApiBuilder.group(
  Api,
  "dispatch",
  Effect.fn(function* (handlers) {
    const board = yield* DispatchBoard
    return handlers.handle(
      "board",
      Effect.fnUntraced(function* ({ query: { page = 1, per_page: perPage = defaultPerPage, ...filter } }) {
        const found = yield* board.day(yield* Acting, filter, { page, perPage })
        return { items: found.items, pagination: paginationOf({ page, perPage }, found) }
      })
    )
  })
)
