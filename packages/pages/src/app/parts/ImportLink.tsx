/** A link to the import of a table with records of one kind. */
import type { JSX } from "preact"
import { mayWrite } from "../Member.ts"
import { hrefOf } from "../Router.ts"
import type { AppWords } from "../words/en.ts"

/** A kind of record whose list links to the import. */
export type ImportedKind = "customers" | "drivers" | "cars" | "trips"

export const ImportLink = ({
  kind,
  words
}: {
  readonly kind: ImportedKind
  readonly words: AppWords
}): JSX.Element | null =>
  mayWrite("settings") ? (
    <a class="button" href={hrefOf(`/import?as=${kind}`)}>
      {words.imports}
    </a>
  ) : null
