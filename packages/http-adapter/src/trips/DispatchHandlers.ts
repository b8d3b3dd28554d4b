import { Effect } from "effect"
import {
  BatchAssignments,
  BoardWatch,
  defaultPerPage,
  DispatchBoard,
  DispatchPlans,
  TripGroups,
  TripRepeats
} from "@livery/domain"
import { CurrentBusiness, paginationOf } from "@livery/contract"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { pageWithEtag } from "../http/responses/Etag.ts"
import { eventStream } from "../http/responses/EventStream.ts"
import { withinListLimit } from "../http/responses/ListedPage.ts"
import { makeWhileActing } from "../http/responses/WhileActing.ts"

export const DispatchHandlers = handlersOf("dispatch", function* (handlers) {
  const board = yield* DispatchBoard
  const watch = yield* BoardWatch
  const assignments = yield* BatchAssignments
  const plans = yield* DispatchPlans
  const groups = yield* TripGroups
  const repeats = yield* TripRepeats
  const whileActing = yield* makeWhileActing
  return handlers({
    board: Effect.fnUntraced(function* ({ query }) {
      const acting = yield* CurrentBusiness
      const request = { page: query.page ?? 1, perPage: query.per_page ?? defaultPerPage }
      const read = board.day(acting, query, request, query.counts)
      const { counts, ...jobs } = yield* withinListLimit(query, "to", read)
      return pageWithEtag({
        items: jobs.items,
        pagination: paginationOf(request, jobs),
        ...(counts === undefined ? {} : { counts })
      })
    }),
    follow: Effect.fnUntraced(function* ({ headers, query }) {
      const acting = yield* CurrentBusiness
      const events = yield* watch.follow(acting, query, headers["last-event-id"])
      return eventStream(yield* whileActing(events, acting))
    }),
    assign: forBusiness((acting, { payload, query }) =>
      assignments.assign(acting, payload, {
        isDryRun: query.dry_run === true,
        refusesClashes: query.refuse_clashes === true
      })
    ),
    plan: forBusiness((acting, { payload }) => plans.propose(acting, payload)),
    copyDay: forBusiness((acting, { payload }) => repeats.copyDay(acting, payload)),
    changeGroup: forBusiness((acting, { payload }) => groups.change(acting, payload))
  })
})
