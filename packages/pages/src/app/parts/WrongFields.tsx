/** What the server found wrong where no field of a form is: each path, and what is wrong there. */
import type { ComponentChildren, JSX } from "preact"
import type { Failure, WrongField } from "../../api/Failure.ts"
import { fieldError } from "../../components/Field.tsx"
import type { AppWords } from "../words/en.ts"

export const WrongFields = ({
  failure,
  fields,
  words
}: {
  readonly failure: Failure
  readonly fields: ReadonlyArray<WrongField>
  readonly words: AppWords
}): JSX.Element => (
  <ul class="wrong-fields">
    {fields.map(({ field }) => (
      <li key={field}>
        <code>{field}</code>: {fieldError(failure, field, words)}
      </li>
    ))}
  </ul>
)

/**
 * The sentence for a refusal of which some part belongs to no field of the form: the server's own, with the paths. Undefined for a
 * refusal that the fields show, and for a fault of the connection.
 */
export const explained = (
  failure: Failure,
  shown: (field: string) => boolean,
  words: AppWords
): ComponentChildren => {
  if (failure.isPassing || failure.details.length === 0) return undefined
  const named = failure.details.filter(({ field }) => typeof field === "string")
  const others = named.filter(({ field }) => !shown(field))
  if (named.length > 0 && others.length === 0) return undefined
  return (
    <>
      {failure.message}
      {others.length > 0 && <WrongFields failure={failure} fields={others} words={words} />}
    </>
  )
}
