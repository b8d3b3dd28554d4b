/** Reads the books as one stream, in the order of days, a page at a time. */
import { Effect, Option, Stream } from "effect"
import type { BusinessId, CustomerId } from "../../kernel/Ids.ts"
import { type BookEntry, type BookEntryType, dayOfEntry, bookPositionOf } from "../ledger/BookEntry.ts"
import { type BookDays, BookRepository } from "./BookRepository.ts"

/** How many entries of a type are in memory. */
const pageSize = 200

/** What has been read of one type and not yet returned. */
interface Source {
  readonly type: BookEntryType
  readonly entries: ReadonlyArray<BookEntry>
  readonly last: BookEntry | null
  readonly isComplete: boolean
}

/** The source whose next entry has the earliest day; of equal days, the first source. */
const earliest = (sources: ReadonlyArray<Source>, timezone: string): number => {
  let found = -1
  let day = ""
  sources.forEach(({ entries: [next] }, at) => {
    if (next === undefined) return
    const own = dayOfEntry(next, timezone)
    if (found >= 0 && own >= day) return
    found = at
    day = own
  })
  return found
}

/** Takes entries in the order of days, until a source that may have more is empty. */
const take = (sources: Array<Source>, timezone: string): ReadonlyArray<BookEntry> => {
  const taken: Array<BookEntry> = []
  for (;;) {
    if (sources.some(({ entries, isComplete }) => entries.length === 0 && !isComplete)) return taken
    const at = earliest(sources, timezone)
    const source = sources[at]
    const [next, ...entries] = source?.entries ?? []
    if (source === undefined || next === undefined) return taken
    taken.push(next)
    sources[at] = { ...source, entries }
  }
}

/** Makes the function that reads the entries of some types on some days, in the order of days: of all customers, or of one. */
export const makeBooks = Effect.map(BookRepository, (repository) => {
  const fill =
    (businessId: BusinessId, days: BookDays, customerId: CustomerId | undefined) => (source: Source) =>
      source.entries.length > 0 || source.isComplete
        ? Effect.succeed(source)
        : Effect.map(
            repository.page(
              businessId,
              source.type,
              days,
              source.last === null ? null : bookPositionOf(source.last, days.timezone),
              pageSize,
              customerId
            ),
            (entries): Source => ({
              ...source,
              entries,
              last: entries.at(-1) ?? source.last,
              isComplete: entries.length < pageSize
            })
          )

  return (
    businessId: BusinessId,
    types: ReadonlyArray<BookEntryType>,
    days: BookDays,
    customerId?: CustomerId
  ): Stream.Stream<BookEntry> =>
    Stream.paginate(
      types.map((type): Source => ({ type, entries: [], last: null, isComplete: false })),
      Effect.fnUntraced(function* (before) {
        const sources = yield* Effect.forEach(before, fill(businessId, days, customerId))
        const taken = take(sources, days.timezone)
        return [taken, Option.liftPredicate(sources, () => taken.length > 0)] as const
      })
    )
})
