import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CustomerStatements } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { asksFor } from "../http/request/Accept.ts"

export const StatementsHandlers = handlersOf("statements", function* (handlers) {
  const statements = yield* CustomerStatements
  return handlers({
    read: Effect.fnUntraced(function* ({ params: { id }, query, request }) {
      const acting = yield* CurrentBusiness
      const name = (extension: string) => ({
        "Content-Disposition": `attachment; filename="statement-${id}-${query.from}-${query.to}.${extension}"`,
        "X-Content-Type-Options": "nosniff"
      })
      if (asksFor(request, "application/pdf"))
        return HttpServerResponse.uint8Array(yield* statements.pdf(acting, id, query), {
          contentType: "application/pdf",
          headers: name("pdf")
        })
      return asksFor(request, "text/csv")
        ? HttpServerResponse.text(yield* statements.csv(acting, id, query), {
            contentType: "text/csv; charset=utf-8",
            headers: name("csv")
          })
        : yield* statements.read(acting, id, query)
    }),
    send: forBusiness((acting, { params, payload }) => statements.send(acting, params.id, payload))
  })
})
