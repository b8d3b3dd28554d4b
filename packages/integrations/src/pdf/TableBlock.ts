/** The table of lines, with its head on each page. */
import { type Canvas, colors, leading, styles } from "./Canvas.ts"
import type { InvoiceSheet, SheetLine } from "./InvoiceSheet.ts"

type Column = keyof InvoiceSheet["columns"]

/** The right edges of the columns with figures, and the width that is left for the description. */
interface Grid {
  readonly edges: Readonly<Record<Exclude<Column, "description">, number>>
  readonly description: number
}

const figureColumns = ["amount", "tax", "unitPrice", "quantity"] as const

const gap = 14

/** Each column with figures is as wide as its widest text; the description has the rest. */
const gridOf = (canvas: Canvas): Grid => {
  const { sheet, type } = canvas
  const widest = (column: (typeof figureColumns)[number]) =>
    sheet.lines.reduce(
      (width, line) => Math.max(width, type.width(line[column], styles.body)),
      type.width(sheet.columns[column].toLocaleUpperCase(sheet.language), styles.label)
    )
  let edge = canvas.right - 6
  const edges = { amount: 0, tax: 0, unitPrice: 0, quantity: 0 }
  for (const column of figureColumns) {
    edges[column] = edge
    edge -= widest(column) + gap
  }
  return { edges, description: edge - canvas.left - 6 }
}

const drawTableHead = (canvas: Canvas, grid: Grid) => {
  const { sheet, type } = canvas
  const base = canvas.y + 8
  type.draw(sheet.columns.description.toLocaleUpperCase(sheet.language), canvas.left + 6, base, styles.label)
  for (const column of figureColumns)
    type.draw(
      sheet.columns[column].toLocaleUpperCase(sheet.language),
      grid.edges[column],
      base,
      styles.label,
      "right"
    )
  canvas.rule(base + 7, colors.accent)
  canvas.y = base + 7
}

const padding = 5

const drawLine = (canvas: Canvas, grid: Grid, line: SheetLine) => {
  const { type } = canvas
  const text = type.rows(line.description, styles.body, grid.description)
  const details = line.details === null ? [] : type.rows(line.details, styles.small, grid.description)
  const height = text.length * leading(styles.body) + details.length * leading(styles.small) + 2 * padding
  const startPage = () => {
    canvas.beginPage()
    drawTableHead(canvas, grid)
  }
  if (canvas.y + height > canvas.bottom) startPage()
  const top = canvas.y + padding
  for (const column of figureColumns)
    canvas.rows([line[column]], grid.edges[column], top, styles.body, "right")
  canvas.y = top
  // A description that is longer than a page continues on the next one.
  for (const [rows, style] of [
    [text, styles.body],
    [details, styles.small]
  ] as const)
    for (const row of rows) {
      if (canvas.y + leading(style) > canvas.bottom) {
        startPage()
        canvas.y += padding
      }
      canvas.y = canvas.rows([row], canvas.left + 6, canvas.y, style)
    }
  canvas.y += padding
  canvas.rule(canvas.y)
}

/** Draws the table and moves `y` below it. */
export const drawTable = (canvas: Canvas): void => {
  const grid = gridOf(canvas)
  drawTableHead(canvas, grid)
  for (const line of canvas.sheet.lines) drawLine(canvas, grid, line)
  canvas.y += 12
}
