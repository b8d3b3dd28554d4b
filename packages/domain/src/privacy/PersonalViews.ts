/** Whether a saved view of a screen names a person: in its name, or in the filters of its query. */
import { Option } from "effect"
import type { SavedView } from "../identity/screens/SavedView.ts"
import { mentions, mentionsName } from "./Mentions.ts"
import type { Person } from "./Person.ts"
import { referencesIn } from "./Redaction.ts"

/** A part of a query as a text; as it is if its escapes are not valid. */
const decoded = (part: string): string =>
  Option.getOrElse(Option.liftThrowable(decodeURIComponent)(part.replaceAll("+", " ")), () => part)

/** The filters of a query, as fields with their values. */
const filtersOf = (query: string): ReadonlyArray<readonly [field: string, value: string]> =>
  query.split("&").map((filter) => {
    const [field = "", ...values] = filter.split("=")
    return [decoded(field), decoded(values.join("="))]
  })

/**
 * Whether a view names the person. Names are compared too: a view is no record of another person of the same name, and its user
 * saves it again at no cost.
 */
export const isViewOf = (
  { name, query }: Pick<SavedView, "name" | "query">,
  person: Pick<Person, "customer_ids" | "driver_ids" | "names" | "emails" | "phones" | "country">
): boolean => {
  const filters = filtersOf(query)
  const named = referencesIn(filters.map(([field, value]) => ({ [field]: Number(value) })))
  return (
    named.some(
      ({ id, kind }) =>
        (kind === "customer" && person.customer_ids.some((one) => one === id)) ||
        (kind === "driver" && person.driver_ids.some((one) => one === id))
    ) ||
    [name, ...filters.map(([, value]) => value)].some(
      (text) => mentions(text, person) || mentionsName(text, person.names)
    )
  )
}
