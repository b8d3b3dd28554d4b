/** A table in memory. */

/** Rows by their key, in the order in which they were inserted. Rows are replaced, never modified. */
export interface Table<Key, Row> {
  readonly get: (key: Key) => Row | undefined
  /** All rows that match; by default all rows. */
  readonly where: (matches?: (row: Row) => boolean) => ReadonlyArray<Row>
  /** The first row that matches. */
  readonly find: (matches: (row: Row) => boolean) => Row | undefined
  /** Inserts or replaces a row, and returns it. */
  readonly set: (key: Key, row: Row) => Row
  /** Replaces fields of a row, and returns the new row; `undefined` if there is no such row. */
  readonly change: (key: Key, fields: Partial<Row>) => Row | undefined
  /** Whether there was such a row. */
  readonly remove: (key: Key) => boolean
  /** The number after the highest key so far, from 1. Like a sequence, it is not taken back by a rollback. */
  readonly next: () => number
}

/** An empty table. It passes the reversal of each change to `onChange`. */
export const makeTable = <Key, Row>(onChange: (undo: () => void) => void): Table<Key, Row> => {
  const rows = new Map<Key, Row>()
  let last = 0

  const restoreAll = (before: ReadonlyArray<readonly [Key, Row]>) => {
    rows.clear()
    for (const [key, row] of before) rows.set(key, row)
  }

  const set = (key: Key, row: Row) => {
    if (typeof key === "number") last = Math.max(last, key)
    const before = rows.get(key)
    onChange(() => (before === undefined ? rows.delete(key) : rows.set(key, before)))
    rows.set(key, row)
    return row
  }

  return {
    get: (key) => rows.get(key),
    where: (matches = () => true) => [...rows.values()].filter(matches),
    find: (matches) => [...rows.values()].find(matches),
    set,
    change: (key, fields) => {
      const row = rows.get(key)
      return row && set(key, { ...row, ...fields })
    },
    remove: (key) => {
      if (!rows.has(key)) return false
      const before = [...rows]
      onChange(() => restoreAll(before))
      return rows.delete(key)
    },
    next: () => (last += 1)
  }
}
