/** Refusals at the fields of a form. */
import { Failure, failureOf } from "../../api/Failure.ts"

/** The refusal with the names of the form: `levels[1]` is shown at `levels`. */
export const atFields = (
  error: unknown,
  names: ReadonlyArray<string>,
  fieldOf = (path: string) => path
): Failure => {
  const failure = failureOf(error)
  return new Failure(
    failure.status,
    failure.type,
    failure.message,
    failure.details.map((detail) => {
      const path = fieldOf(detail.field)
      const name = names.find(
        (it) => path === it || (path.startsWith(it) && /[.[]/u.test(path[it.length] ?? ""))
      )
      return { ...detail, field: name ?? path }
    })
  )
}
