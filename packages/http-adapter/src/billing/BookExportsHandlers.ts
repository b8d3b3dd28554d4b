import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { BookExports, type BookFile, type BookFileQuery, type BookKind } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"

/** The headers that an app on another origin may read. */
const exposed = ["Content-Disposition", "Repr-Digest", "X-Export-Rows", "X-Export-Sums"].join(",")

/** The response that streams a file. Its checksum and its sums are headers, so that programs can import the file as it is. */
const fileResponse = ({ bytes, contentType, name, rows, sha256, sums }: BookFile) =>
  HttpServerResponse.stream(bytes, {
    contentType,
    headers: {
      "Access-Control-Expose-Headers": exposed,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Repr-Digest": `sha-256=:${sha256}:`,
      "X-Content-Type-Options": "nosniff",
      "X-Export-Rows": String(rows),
      "X-Export-Sums": sums.join(", ")
    }
  })

export const BookExportsHandlers = handlersOf("bookExports", function* (handlers) {
  const exports = yield* BookExports
  const file = (kind: BookKind) =>
    Effect.fnUntraced(function* ({ query }: { readonly query: BookFileQuery }) {
      return fileResponse(yield* exports.file(yield* CurrentBusiness, kind, query))
    })
  return handlers({
    invoices: file("invoices"),
    creditNotes: file("credit-notes"),
    payments: file("payments"),
    journal: file("journal"),
    taxes: forBusiness((acting, { query }) => exports.taxes(acting, query))
  })
})
