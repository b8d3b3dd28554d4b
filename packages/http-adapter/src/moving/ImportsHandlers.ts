import { Effect, FileSystem, Path } from "effect"
import { HttpServerResponse } from "effect/http"
import { csvLine, Imports } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { csvType } from "../http/responses/Csv.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { paged } from "../http/responses/ListedPage.ts"
import { importOf } from "./ImportForm.ts"

export const ImportsHandlers = handlersOf("imports", function* (handlers) {
  const imports = yield* Imports
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  return handlers({
    start: {
      raw: ({ request }) =>
        Effect.gen(function* () {
          const { bytes, dryRun, kind, map } = yield* importOf(request)
          return yield* imports.start(yield* CurrentBusiness, bytes, kind, { dryRun, map })
        }).pipe(
          // Only these two services: the scope of the form's temporary files must stay that of the request.
          Effect.provideService(FileSystem.FileSystem, files),
          Effect.provideService(Path.Path, paths),
          Effect.catchTags({
            FormTooLarge: () => Effect.succeed(HttpServerResponse.empty({ status: 413 })),
            NotAForm: () => Effect.succeed(HttpServerResponse.empty({ status: 415 }))
          })
        )
    },
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
