/** The assignment problem: one column for each row, with the least cost in sum. */

/**
 * The column of each row so that the costs add up to the minimum, by the shortest augmenting path (Jonker and Volgenant). `costs`
 * has `size` rows of `size` finite numbers. The time grows with the cube of the size: about half a second for 800. Null if
 * `isOver` returns true before the end; it is asked once for each row.
 */
export const minimumCost = (
  costs: Float64Array,
  size: number,
  isOver: () => boolean = () => false
): Int32Array | null => {
  const at = (list: Float64Array | Int32Array, index: number) => list[index] as number
  // Index 0 stands for no row and no column, so rows and columns count from 1.
  const [rowPrice, columnPrice] = [new Float64Array(size + 1), new Float64Array(size + 1)]
  const [rowOf, previous] = [new Int32Array(size + 1), new Int32Array(size + 1)]
  const [distance, reached] = [new Float64Array(size + 1), new Uint8Array(size + 1)]
  for (let row = 1; row <= size; row++) {
    if (isOver()) return null
    rowOf[0] = row
    distance.fill(Infinity)
    reached.fill(0)
    let column = 0
    do {
      reached[column] = 1
      const from = at(rowOf, column)
      const offset = (from - 1) * size - 1
      const price = at(rowPrice, from)
      let [step, next] = [Infinity, 0]
      for (let to = 1; to <= size; to++) {
        if (reached[to] === 1) continue
        const reduced = at(costs, offset + to) - price - at(columnPrice, to)
        if (reduced < at(distance, to)) {
          distance[to] = reduced
          previous[to] = column
        }
        if (at(distance, to) < step) [step, next] = [at(distance, to), to]
      }
      for (let to = 0; to <= size; to++)
        if (reached[to] === 1) {
          rowPrice[at(rowOf, to)] = at(rowPrice, at(rowOf, to)) + step
          columnPrice[to] = at(columnPrice, to) - step
        } else distance[to] = at(distance, to) - step
      column = next
    } while (rowOf[column] !== 0)
    for (let to = column; to !== 0; to = at(previous, to)) rowOf[to] = at(rowOf, at(previous, to))
  }
  const columnOf = new Int32Array(size)
  for (let column = 1; column <= size; column++) columnOf[at(rowOf, column) - 1] = column - 1
  return columnOf
}
