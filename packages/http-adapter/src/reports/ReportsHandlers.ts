import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { reportColumns, Reports } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { asksFor } from "../http/request/Accept.ts"
import { withinListLimit } from "../http/responses/ListedPage.ts"
import { csvOf } from "./Csv.ts"

export const ReportsHandlers = handlersOf("reports", function* (handlers) {
  const reports = yield* Reports
  return handlers({
    read: Effect.fnUntraced(function* ({ params, query, request }) {
      const acting = yield* CurrentBusiness
      const report = yield* withinListLimit(query, "from", reports.read(acting, params.report, query))
      return asksFor(request, "text/csv")
        ? HttpServerResponse.text(csvOf(reportColumns(params.report), report.rows), {
            contentType: "text/csv; charset=utf-8",
            headers: { "Content-Disposition": `attachment; filename="${params.report}.csv"` }
          })
        : report
    })
  })
})
