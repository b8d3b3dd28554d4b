/** Pages, and the order of their items. */
import { maxCount, offsetOf, type Page, type PageRequest } from "@livery/domain"

/** The requested page of these items. */
export const pageOf = <A>(items: ReadonlyArray<A>, request: PageRequest): Page<A> => {
  const end = offsetOf(request) + request.perPage
  return {
    items: items.slice(offsetOf(request), end),
    total: items.length > maxCount ? undefined : items.length,
    hasMore: items.length > end
  }
}

/** Compares two items by the numbers or texts that `keysOf` returns: by the first ones, then by the second ones, … */
export const ascending =
  <A>(keysOf: (item: A) => ReadonlyArray<number | string>) =>
  (one: A, other: A): number => {
    const others = keysOf(other)
    for (const [index, key] of keysOf(one).entries()) {
      const compared = others[index] ?? key
      if (key !== compared) return key < compared ? -1 : 1
    }
    return 0
  }

/** As {@link ascending}, the other way round. */
export const descending =
  <A>(keysOf: (item: A) => ReadonlyArray<number | string>) =>
  (one: A, other: A): number =>
    ascending(keysOf)(other, one)
