/** Lists as Stripe pages them: the newest record first, with cursors (API reference, page "Pagination"). */
import { groupOf, integerOf, type Parameters, textOf } from "./Parameters.ts"
import { invalidParameter, noSuchRecord } from "./StripeFailure.ts"

/** The parameters that each list takes. */
export const listParameters = ["limit", "starting_after", "ending_before", "created"] as const

interface Listed {
  readonly id: string
  readonly created: number
}

/** The index of the cursor's record in the list; undefined without a cursor. Throws if the list has no such record. */
const indexOfCursor = (records: ReadonlyArray<Listed>, parameters: Parameters, name: string) => {
  const id = textOf(parameters, name)
  if (id === undefined) return undefined
  const index = records.findIndex((record) => record.id === id)
  if (index < 0) throw noSuchRecord("record", id, name)
  return index
}

/** A page of `records`, which are in the order of their creation. */
export const pageOf = <A extends Listed>(
  records: Iterable<A>,
  parameters: Parameters,
  url: string
): { object: "list"; data: Array<A>; has_more: boolean; url: string } => {
  const limit = integerOf(parameters, "limit", 1) ?? 10
  if (limit > 100) throw invalidParameter("limit", "This value must be less than or equal to 100.")
  const created = groupOf(parameters, "created")
  const bound = (name: string, unbounded: number) => integerOf(created, name) ?? unbounded
  const [from, after] = [bound("gte", 0), bound("gt", -1)]
  const [to, before] = [bound("lte", Infinity), bound("lt", Infinity)]
  const newestFirst = [...records].toReversed()
  const startingAfter = indexOfCursor(newestFirst, parameters, "starting_after")
  const endingBefore = indexOfCursor(newestFirst, parameters, "ending_before")
  const matching = newestFirst
    .slice(startingAfter === undefined ? 0 : startingAfter + 1, endingBefore)
    .filter((record) => {
      const at = record.created
      return at >= from && at > after && at <= to && at < before
    })
  const data = endingBefore === undefined ? matching.slice(0, limit) : matching.slice(-limit)
  return { object: "list", data, has_more: data.length < matching.length, url }
}
