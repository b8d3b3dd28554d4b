import { BatchAssignments, DispatchBoard, TripGroups } from "@livery/domain"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const DispatchHandlers = handlersOf("dispatch", function* (handlers) {
  const board = yield* DispatchBoard
  const assignments = yield* BatchAssignments
  const groups = yield* TripGroups
  return handlers({
    board: forBusiness((acting, { query }) =>
      paged(query, (page) => board.day(acting, query, page), { narrowBy: "to" })
    ),
    assign: forBusiness((acting, { payload }) => assignments.assign(acting, payload)),
    changeGroup: forBusiness((acting, { payload }) => groups.change(acting, payload))
  })
})
