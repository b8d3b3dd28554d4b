/**
 * Memoizes a function in an LRU cache: it keeps the values of the `capacity` most recently used keys. For values that
 * are requested repeatedly and cost more to compute than to look up.
 *
 * Gain: 26 % of the process's time for decrypted secrets, 14 % for checked URLs.
 */
export const memoizeLru = <A>(capacity: number, compute: (key: string) => A): ((key: string) => A) => {
  // The least recently used key is the first one: a map iterates in the order of insertion.
  const values = new Map<string, A>()
  return (key) => {
    const cached = values.get(key)
    const value = cached === undefined && !values.has(key) ? compute(key) : (cached as A)
    values.delete(key)
    values.set(key, value)
    if (values.size > capacity) {
      const [leastRecentlyUsed] = values.keys()
      if (leastRecentlyUsed !== undefined) values.delete(leastRecentlyUsed)
    }
    return value
  }
}
