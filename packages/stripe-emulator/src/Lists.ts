/** Lists as Stripe pages them: the newest record first, with cursors (API reference, page "Pagination"). */
import { groupOf, integerOf, type Parameters, textOf } from "./Parameters.ts"
import { invalidParameter, noSuchRecord } from "./StripeFailure.ts"

/** The parameters that each list takes. */
export const listParameters = ["limit", "starting_after", "ending_before", "created"] as const

interface Listed {
  readonly id: string
  readonly created: number
}

/** The cursor's place in the list; a cursor that is not of this list is refused. */
const placeOf = (records: ReadonlyArray<Listed>, parameters: Parameters, name: string) => {
  const id = textOf(parameters, name)
  if (id === undefined) return undefined
  const place = records.findIndex((record) => record.id === id)
  if (place < 0) throw noSuchRecord("record", id, name)
  return place
}

/** A page of `records`, which come the oldest first. */
export const pageOf = <A extends Listed>(
  records: Iterable<A>,
  parameters: Parameters,
  url: string
): { object: "list"; data: Array<A>; has_more: boolean; url: string } => {
  const limit = integerOf(parameters, "limit", 1) ?? 10
  if (limit > 100) throw invalidParameter("limit", "This value must be less than or equal to 100.")
  const created = groupOf(parameters, "created")
  const bound = (name: string, missing: number) => integerOf(created, name) ?? missing
  const [gte, gt] = [bound("gte", 0), bound("gt", -1)]
  const [lte, lt] = [bound("lte", Infinity), bound("lt", Infinity)]
  const newestFirst = [...records].toReversed()
  const after = placeOf(newestFirst, parameters, "starting_after")
  const before = placeOf(newestFirst, parameters, "ending_before")
  const matching = newestFirst
    .slice(after === undefined ? 0 : after + 1, before)
    .filter((it) => it.created >= gte && it.created > gt && it.created <= lte && it.created < lt)
  const data = before === undefined ? matching.slice(0, limit) : matching.slice(-limit)
  return { object: "list", data, has_more: data.length < matching.length, url }
}
