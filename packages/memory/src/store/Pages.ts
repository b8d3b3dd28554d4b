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

/** The place of a UTF-16 code unit in the order of code points: surrogates are those of the last code points. */
const placeOf = (unit: number): number => {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** Whether a text comes before another one in the order of code points. `<` compares the code units. */
const isTextBefore = (one: string, other: string): boolean => {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    const [unit, compared] = [one.charCodeAt(index), other.charCodeAt(index)]
    if (unit !== compared) return placeOf(unit) < placeOf(compared)
  }
  return one.length < other.length
}

const isBefore = (one: number | string, other: number | string): boolean =>
  typeof one === "string" && typeof other === "string" ? isTextBefore(one, other) : one < other

/**
 * Compares two items by the numbers or texts that `keysOf` returns: by the first ones, then by the second ones, … Texts are
 * in the order of code points.
 */
export const ascending =
  <A>(keysOf: (item: A) => ReadonlyArray<number | string>) =>
  (one: A, other: A): number => {
    const others = keysOf(other)
    for (const [index, key] of keysOf(one).entries()) {
      const compared = others[index] ?? key
      if (key !== compared) return isBefore(key, compared) ? -1 : 1
    }
    return 0
  }

/** As {@link ascending}, the other way round. */
export const descending =
  <A>(keysOf: (item: A) => ReadonlyArray<number | string>) =>
  (one: A, other: A): number =>
    ascending(keysOf)(other, one)
