import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { reportColumns, Reports } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { headerOf } from "../http/request/IncomingRequest.ts"
import { withinListLimit } from "../http/responses/ListedPage.ts"
import { csvOf } from "./Csv.ts"

/** Whether a request asks for CSV rather than JSON. */
const asksForCsv = (request: HttpServerRequest.HttpServerRequest) =>
  /(?:^|,)\s*text\/csv\s*(?:;|,|$)/iu.test(headerOf(request, "accept") ?? "")

export const ReportsHandlers = handlersOf("reports", function* (handlers) {
  const reports = yield* Reports
  return handlers({
    read: Effect.fnUntraced(function* ({ params, query, request }) {
      const acting = yield* CurrentBusiness
      const report = yield* withinListLimit(query, "from", reports.read(acting, params.report, query))
      return asksForCsv(request)
        ? HttpServerResponse.text(csvOf(reportColumns(params.report), report.rows), {
            contentType: "text/csv; charset=utf-8",
            headers: { "Content-Disposition": `attachment; filename="${params.report}.csv"` }
          })
        : report
    })
  })
})
