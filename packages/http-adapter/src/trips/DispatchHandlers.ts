import { Effect } from "effect"
import { BatchAssignments, DispatchBoard, TripGroups } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const DispatchHandlers = handlersOf(
  Api,
  "dispatch",
  Effect.fn(function* (handlers) {
    const board = yield* DispatchBoard
    const assignments = yield* BatchAssignments
    const groups = yield* TripGroups
    return handlers({
      board: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => board.day(acting, query, page), { narrowBy: "to" })
      }),
      assign: Effect.fnUntraced(function* ({ payload }) {
        return yield* assignments.assign(yield* CurrentBusiness, payload)
      }),
      changeGroup: Effect.fnUntraced(function* ({ payload }) {
        return yield* groups.change(yield* CurrentBusiness, payload)
      })
    })
  })
)
