/** Draws facts side by side, as many to a row as fit: the label above, the value below. */
import { ascent, type Canvas, leading, styles } from "./Canvas.ts"
import type { Fact } from "./InvoiceSheet.ts"

const gap = 26

const height = leading(styles.label) + leading(styles.body)

/**
 * The rows of the facts. Each fact is as wide as its texts; below the first row, facts stand in its columns where they
 * fit.
 */
const rowsOf = ({ right, sheet, type }: Canvas, facts: ReadonlyArray<Fact>, left: number) => {
  const rows: Array<Array<Fact & { readonly x: number }>> = []
  let x = left
  for (const fact of facts) {
    const width = Math.max(
      type.width(fact.label.toLocaleUpperCase(sheet.language), styles.label),
      type.width(fact.value, styles.body)
    )
    if (rows.length === 0 || x + width > right) {
      rows.push([])
      x = left
    }
    rows.at(-1)?.push({ ...fact, x })
    const columns = rows.length > 1 ? (rows[0] ?? []) : []
    const end = x + width + gap
    x = columns.find((column) => column.x >= end - gap / 2)?.x ?? end
  }
  return rows
}

/** The height that {@link drawFacts} needs. */
export const factsHeight = (canvas: Canvas, facts: ReadonlyArray<Fact>, left: number): number => {
  const rows = rowsOf(canvas, facts, left).length
  return rows * height + Math.max(0, rows - 1) * 5
}

/** Draws facts from `left` to the right edge and moves `y` below them. */
export const drawFacts = (canvas: Canvas, facts: ReadonlyArray<Fact>, left: number): void => {
  const { right, sheet, type } = canvas
  rowsOf(canvas, facts, left).forEach((row, at) => {
    const y = canvas.y + at * (height + 5)
    for (const { label, value, x } of row) {
      type.draw(label.toLocaleUpperCase(sheet.language), x, y + ascent(styles.label), styles.label)
      const [shown = "", ...more] = type.rows(value, styles.body, right - x)
      const base = y + leading(styles.label) + ascent(styles.body)
      type.draw(more.length === 0 ? shown : `${shown}…`, x, base, styles.body)
    }
  })
  canvas.y += factsHeight(canvas, facts, left)
}
