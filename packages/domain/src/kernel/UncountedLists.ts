/** Remembers the lists that are too long to be counted. */
import { Duration, Effect } from "effect"
import type { Page } from "./Page.ts"
import { monotonicMillis } from "./time/MonotonicTime.ts"

/**
 * A list that was too long to be counted is not counted again for this time, so that reading the longest lists stays
 * cheap. If the list becomes short enough, its total may appear that much later.
 */
export const countCacheTtl = Duration.seconds(10)

const maxCachedLists = 10_000

/**
 * Returns a function that reads a page of the list with that key. `read` receives whether to count the list: not if it
 * was too long within {@link countCacheTtl}. A total that `read` counted is returned as it is.
 */
export const makeUncountedLists = () => {
  /** The lists that were too long to be counted, with the time until which they are not counted again. */
  const uncountedUntil = new Map<string, number>()
  return <P extends Pick<Page<unknown>, "total">, E, R>(
    key: string,
    read: (isCounted: boolean) => Effect.Effect<P, E, R>
  ): Effect.Effect<P, E, R> =>
    Effect.gen(function* () {
      const now = yield* monotonicMillis
      if ((uncountedUntil.get(key) ?? 0) > now) return yield* read(false)
      const page = yield* read(true)
      uncountedUntil.delete(key)
      if (page.total === undefined) {
        if (uncountedUntil.size >= maxCachedLists) uncountedUntil.clear()
        uncountedUntil.set(key, now + Duration.toMillis(countCacheTtl))
      }
      return page
    })
}
