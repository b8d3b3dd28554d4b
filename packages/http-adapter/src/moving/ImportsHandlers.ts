import { Effect, Option, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { check, ImportKind, Imports, mapOfText, maxUploadBytes } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { fileFormOf, formFlag, makeFormRoute } from "../http/decoding/FileForms.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { csvType } from "../http/responses/Csv.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { paged } from "../http/responses/ListedPage.ts"

const isMap = (text: string) => Option.isSome(mapOfText(text))

const TableTerms = Schema.Struct({
  as: ImportKind,
  map: Schema.optionalKey(Schema.String.check(check("invalid", isMap)))
})

const ImportTerms = Schema.Struct({ ...TableTerms.fields, dry_run: formFlag })

const mapIn = ({ map }: typeof TableTerms.Type) => Option.getOrNull(mapOfText(map ?? ""))

export const ImportsHandlers = handlersOf("imports", function* (handlers) {
  const imports = yield* Imports
  const formRoute = yield* makeFormRoute
  return handlers({
    start: {
      raw: ({ request }) =>
        formRoute(
          Effect.gen(function* () {
            const { bytes, terms } = yield* fileFormOf(request, ImportTerms, maxUploadBytes)
            return yield* imports.start(yield* CurrentBusiness, bytes, terms.as, {
              dryRun: terms.dry_run,
              map: mapIn(terms)
            })
          })
        )
    },
    list: forBusiness((acting, { query }) => paged(query, (page) => imports.list(acting, query, page))),
    columns: {
      raw: ({ request }) =>
        formRoute(
          Effect.gen(function* () {
            const { bytes, terms } = yield* fileFormOf(request, TableTerms, maxUploadBytes)
            return yield* imports.columns(bytes, terms.as, mapIn(terms))
          })
        )
    },
    read: forBusiness((acting, { params }) => Effect.map(imports.get(acting, params.id), withEtag)),
    lines: forBusiness((acting, { params, query }) =>
      paged(query, (page) => imports.lines(acting, params.id, query, page))
    ),
    refused: Effect.fnUntraced(function* ({ params }) {
      const table = yield* imports.refused(yield* CurrentBusiness, params.id)
      return HttpServerResponse.text(table, {
        contentType: csvType,
        headers: {
          "Content-Disposition": `attachment; filename="refused-${params.id}.csv"`,
          "X-Content-Type-Options": "nosniff"
        }
      })
    })
  })
})
