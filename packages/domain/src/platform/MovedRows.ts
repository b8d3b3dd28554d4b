/** The rows of a business that a move sends: what differs at the target, and in which steps it is sent. */
import { type BusinessTable, type RowBlocks, type RowValues, sumOfBlocks } from "./BusinessRows.ts"

/** The most characters of the rows of one step: the target reads a body of up to 1 MiB. */
const stepLength = 300_000

/** Rows in groups that fit in a step. */
export function* inSteps(rows: ReadonlyArray<RowValues>): Generator<ReadonlyArray<RowValues>> {
  let group: Array<RowValues> = []
  let length = 0
  for (const row of rows) {
    const size = JSON.stringify(row).length
    if (group.length > 0 && length + size > stepLength) {
      yield group
      group = []
      length = 0
    }
    group.push(row)
    length += size
  }
  if (group.length > 0) yield group
}

/** A row without its other columns. */
export const pick = (row: RowValues, columns: ReadonlyArray<string>): RowValues =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))

/** The key of a row as a text. */
export const keyOf = ({ key }: BusinessTable, row: RowValues) => JSON.stringify(pick(row, key))

/** The blocks of a table that differ; `stale` are those of which the target has rows. */
export const differenceOf = (table: BusinessTable, here: RowBlocks = {}, there: RowBlocks = {}) => {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])]
  const blocks = names.filter((name) => here[name] !== there[name])
  if (blocks.length === 0) return []
  const own = Object.fromEntries(
    blocks.flatMap((name) => (here[name] === undefined ? [] : [[name, here[name]]]))
  )
  const stale = blocks.filter((name) => there[name] !== undefined)
  const isAbsent = Object.keys(there).length === 0
  return [{ table, blocks, stale, isAbsent, rows: sumOfBlocks(own).rows }]
}
