import { FailedLetters } from "@livery/domain"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { paged } from "../http/responses/ListedPage.ts"

export const LettersHandlers = handlersOf("letters", function* (handlers) {
  const letters = yield* FailedLetters
  return handlers({
    failed: forBusiness((acting, { query }) => paged(query, (page) => letters.list(acting, page)))
  })
})
