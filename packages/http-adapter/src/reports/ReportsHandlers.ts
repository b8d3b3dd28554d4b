import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { reportColumns, Reports } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { asksFor } from "../http/request/Accept.ts"
import { csvOf, csvType } from "../http/responses/Csv.ts"
import { withinListLimit } from "../http/responses/ListedPage.ts"

export const ReportsHandlers = handlersOf("reports", function* (handlers) {
  const reports = yield* Reports
  return handlers({
    read: Effect.fnUntraced(function* ({ params, query, request }) {
      const acting = yield* CurrentBusiness
      const report = yield* withinListLimit(query, "from", reports.read(acting, params.report, query))
      return asksFor(request, "text/csv")
        ? HttpServerResponse.text(csvOf(reportColumns(params.report), report.rows), {
            contentType: csvType,
            headers: { "Content-Disposition": `attachment; filename="${params.report}.csv"` }
          })
        : report
    })
  })
})
