/** Why a screen could not be loaded, with the next step. */
import type { JSX } from "preact"
import type { Failure } from "../api/Failure.ts"
import { fill } from "../i18n/Format.ts"
import type { SharedWords } from "../words/en.ts"
import { EmptyState } from "./EmptyState.tsx"

/** The sentence for a failure of the connection or the server; for a refusal, the reason that the server gave. */
export const failureText = (failure: Failure, words: SharedWords): string => {
  if (failure.status === 0) return words.unreachable
  if (failure.status === 429) return words.tooMany
  // The server refuses a change with 503 if it can be sent again: a part of it is away, or the business is being moved.
  if (failure.status === 503) return words.unavailable
  if (failure.status >= 500) return words.serverFault
  if (failure.movedTo !== undefined) return fill(words.moved, { url: failure.movedTo })
  // A conflict names records in its details instead of fields.
  return failure.details.some((detail) => "field" in detail) ? words.fixFields : failure.message
}

/** The way to the same page at the new address of a business. */
export const MovedLink = ({
  url,
  words
}: {
  readonly url: string
  readonly words: SharedWords
}): JSX.Element => (
  <a class="button primary" href={url + location.pathname}>
    {words.openMoved}
  </a>
)

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
      {failure.movedTo === undefined ? (
        <button type="button" class="button primary" onClick={retry}>
          {words.retry}
        </button>
      ) : (
        <MovedLink url={failure.movedTo} words={words} />
      )}
    </EmptyState>
  )
