import { Effect, FileSystem, Path } from "effect"
import { HttpServerResponse } from "effect/http"
import { BankStatements } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { paged } from "../http/responses/ListedPage.ts"
import { statementOf } from "./StatementForm.ts"

export const BankStatementsHandlers = handlersOf("bankStatements", function* (handlers) {
  const statements = yield* BankStatements
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => statements.list(acting, page))),
    import: {
      raw: ({ request }) =>
        Effect.gen(function* () {
          const { columns, text } = yield* statementOf(request)
          return yield* statements.importFile(yield* CurrentBusiness, text, columns)
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
    entries: forBusiness((acting, { params, query }) =>
      paged(query, (page) => statements.entries(acting, params.id, query, page))
    ),
    confirm: forBusiness((acting, { params, payload }) =>
      statements.confirm(acting, params.id, params.entry_id, payload)
    ),
    ignore: forBusiness((acting, { params }) => statements.ignore(acting, params.id, params.entry_id))
  })
})
