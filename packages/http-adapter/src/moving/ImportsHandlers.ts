import { Effect, FileSystem, Path } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { csvLine, Imports, type InvalidInput } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { csvType } from "../http/responses/Csv.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { paged } from "../http/responses/ListedPage.ts"
import { type ImportForm, importOf } from "./ImportForm.ts"

export const ImportsHandlers = handlersOf("imports", function* (handlers) {
  const imports = yield* Imports
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  /** Answers a form with a table. */
  const ofForm = <A, R>(answer: (form: ImportForm) => Effect.Effect<A, InvalidInput, R>) => ({
    raw: ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) =>
      Effect.flatMap(importOf(request), answer).pipe(
        // Only these two services: the scope of the form's temporary files must stay that of the request.
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.provideService(Path.Path, paths),
        Effect.catchTags({
          FormTooLarge: () => Effect.succeed(HttpServerResponse.empty({ status: 413 })),
          NotAForm: () => Effect.succeed(HttpServerResponse.empty({ status: 415 }))
        })
      )
  })

  return handlers({
    start: ofForm(
      Effect.fnUntraced(function* ({ bytes, dryRun, kind, map }) {
        return yield* imports.start(yield* CurrentBusiness, bytes, kind, { dryRun, map })
      })
    ),
    list: forBusiness((acting, { query }) => paged(query, (page) => imports.list(acting, query, page))),
    columns: ofForm(({ bytes, kind, map }) => imports.columns(bytes, kind, map)),
    read: forBusiness((acting, { params }) => Effect.map(imports.get(acting, params.id), withEtag)),
    lines: forBusiness((acting, { params, query }) =>
      paged(query, (page) => imports.lines(acting, params.id, query, page))
    ),
    refused: Effect.fnUntraced(function* ({ params }) {
      const rows = yield* imports.refused(yield* CurrentBusiness, params.id)
      return HttpServerResponse.text(rows.map(csvLine).join(""), {
        contentType: csvType,
        headers: {
          "Content-Disposition": `attachment; filename="refused-${params.id}.csv"`,
          "X-Content-Type-Options": "nosniff"
        }
      })
    })
  })
})
