/** A cache of a fixed size that drops the entry that was added first. */

/**
 * - `get`: the value of a key; `undefined` if it is not cached.
 * - `set`: adds or replaces a value. If the cache is full, the oldest entry is dropped.
 * - `delete`: drops a value.
 */
export interface OldestFirstCache<A> {
  readonly get: (key: string) => A | undefined
  readonly set: (key: string, value: A) => void
  readonly delete: (key: string) => void
}

/** An empty cache for that many entries. */
export const makeOldestFirstCache = <A>(capacity: number): OldestFirstCache<A> => {
  // A map iterates in the order of insertion.
  const values = new Map<string, A>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      if (values.size >= capacity && !values.has(key)) {
        const [oldest] = values.keys()
        if (oldest !== undefined) values.delete(oldest)
      }
      values.set(key, value)
    },
    delete: (key) => {
      values.delete(key)
    }
  }
}
