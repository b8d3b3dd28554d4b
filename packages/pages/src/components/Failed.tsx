/** Why a screen could not be loaded, with the next step. */
import type { JSX } from "preact"
import type { Failure } from "../api/Failure.ts"
import type { SharedWords } from "../words/en.ts"
import { EmptyState } from "./EmptyState.tsx"

/** The sentence for a failure of the connection or the server; for a refusal, the reason that the server gave. */
export const failureText = (failure: Failure, words: SharedWords): string => {
  if (failure.status === 0) return words.unreachable
  if (failure.status === 429) return words.tooMany
  if (failure.status >= 500) return words.serverFault
  // A conflict names records in its details instead of fields.
  return failure.details.some((detail) => "field" in detail) ? words.fixFields : failure.message
}

export const Failed = ({
  failure,
  gone,
  retry,
  words
}: {
  readonly failure: Failure
  readonly words: SharedWords
  /** What to do if the link leads to nothing. */
  readonly gone: string
  readonly retry: () => void
}): JSX.Element =>
  failure.isNotFound ? (
    <EmptyState icon="info" title={words.gone}>
      <p class="muted">{gone}</p>
    </EmptyState>
  ) : (
    <EmptyState icon="alert" title={failureText(failure, words)}>
      <button type="button" class="button primary" onClick={retry}>
        {words.retry}
      </button>
    </EmptyState>
  )
