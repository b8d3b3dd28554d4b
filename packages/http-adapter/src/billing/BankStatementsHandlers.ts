import { Effect } from "effect"
import { BankStatements, maxStatementBytes, StatementColumns, textOfBytes } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { paged } from "../http/responses/ListedPage.ts"
import { fileFormOf, makeFormRoute } from "../http/decoding/FileForms.ts"

export const BankStatementsHandlers = handlersOf("bankStatements", function* (handlers) {
  const statements = yield* BankStatements
  const formRoute = yield* makeFormRoute
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => statements.list(acting, page))),
    import: {
      raw: ({ request }) =>
        formRoute(
          Effect.gen(function* () {
            const { bytes, terms } = yield* fileFormOf(request, StatementColumns, maxStatementBytes)
            return yield* statements.importFile(yield* CurrentBusiness, yield* textOfBytes(bytes), terms)
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
