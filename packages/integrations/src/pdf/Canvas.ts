/** The pages of one invoice: measures, colours, and the head and foot of every page. */
import type { InvoiceSheet } from "./InvoiceSheet.ts"
import type { Pdf, Style, Typesetter } from "./Typesetter.ts"

/** Colours as sRGB. Text has a contrast of at least 4.5 to 1 against its background. */
export const colors = {
  ink: "#16202c",
  muted: "#5b6776",
  accent: "#1d4f7c",
  rule: "#d5dbe2",
  panel: "#f3f6f9",
  onAccent: "#ffffff"
}

/** The styles in use. */
export const styles = {
  title: { weight: "semibold", size: 22, color: colors.ink },
  name: { weight: "semibold", size: 16, color: colors.ink },
  strong: { weight: "semibold", size: 9, color: colors.ink },
  body: { weight: "regular", size: 9, color: colors.ink },
  small: { weight: "regular", size: 7.8, color: colors.muted },
  label: { weight: "semibold", size: 6.8, color: colors.muted },
  figure: { weight: "semibold", size: 12, color: colors.ink },
  due: { weight: "semibold", size: 12, color: colors.accent },
  dueRow: { weight: "semibold", size: 11, color: colors.onAccent },
  action: { weight: "semibold", size: 8.5, color: colors.accent },
  link: { weight: "regular", size: 8.5, color: colors.accent },
  stamp: { weight: "semibold", size: 9, color: colors.accent },
  foot: { weight: "regular", size: 7.5, color: colors.muted }
} as const satisfies Record<string, Style>

/** The distance between two baselines. */
export const leading = (style: Style): number => style.size * 1.45

/** The distance from the top of a row to its baseline. */
export const ascent = (style: Style): number => style.size * 0.98

/** Margins in points. */
const margin = { side: 50, top: 42, bottom: 36 }

/** The canvas that the blocks of a page draw on. `y` is where the next block begins. */
export interface Canvas {
  readonly pdf: Pdf
  readonly type: Typesetter
  readonly sheet: InvoiceSheet
  readonly left: number
  readonly right: number
  readonly width: number
  /** The lowest `y` for content. Only the foot is below it. */
  readonly bottom: number
  y: number
  /** The rows of the foot of every page. */
  readonly foot: ReadonlyArray<string>
  /** Draws rows from `y` downwards, and returns the `y` below them. */
  readonly rows: (
    rows: ReadonlyArray<string>,
    x: number,
    y: number,
    style: Style,
    align?: "left" | "right"
  ) => number
  readonly rule: (y: number, color?: string) => void
  /** Begins another page. */
  readonly beginPage: () => void
}

/** The head of every page but the first. */
const runningHead = (canvas: Canvas) => {
  const { sheet, type } = canvas
  const base = margin.top - 6
  type.draw(`${sheet.title} ${sheet.number}`, canvas.left, base, styles.strong)
  type.draw(sheet.seller.name, canvas.right, base, styles.small, "right")
  canvas.rule(base + 8)
  canvas.y = base + 24
}

/** The width that is reserved beside the foot for the page's number. */
const pageLabelWidth = 76

const separator = "  ·  "

/** The rows of the foot. An item is broken only if it is wider than a row. */
const footOf = (sheet: InvoiceSheet, type: Typesetter, width: number): ReadonlyArray<string> => {
  const rows: Array<string> = []
  for (const item of sheet.footer) {
    const longer = `${rows.at(-1) ?? ""}${separator}${item}`
    if (rows.length > 0 && type.width(longer, styles.foot) <= width) rows[rows.length - 1] = longer
    else rows.push(...type.rows(item, styles.foot, width))
  }
  return rows
}

/** The canvas of a document whose first page has been added. */
export const makeCanvas = (pdf: Pdf, type: Typesetter, sheet: InvoiceSheet): Canvas => {
  const left = margin.side
  const right = pdf.page.width - margin.side
  const foot = footOf(sheet, type, right - left - pageLabelWidth)
  const canvas: Canvas = {
    pdf,
    type,
    sheet,
    left,
    right,
    width: right - left,
    bottom: pdf.page.height - margin.bottom - foot.length * leading(styles.foot) - 18,
    y: margin.top,
    foot,
    rows: (rows, x, y, style, align = "left") => {
      rows.forEach((row, at) => type.draw(row, x, y + ascent(style) + at * leading(style), style, align))
      return y + rows.length * leading(style)
    },
    rule: (y, color = colors.rule) => {
      pdf.moveTo(left, y).lineTo(right, y).lineWidth(0.6).strokeColor(color).stroke()
    },
    beginPage: () => {
      pdf.addPage()
      runningHead(canvas)
    }
  }
  return canvas
}

/** The foot of each page, once all pages are known. */
export const drawFeet = (canvas: Canvas): number => {
  const { pdf, sheet } = canvas
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    const top = canvas.bottom + 12
    canvas.rule(top)
    canvas.rows(canvas.foot, canvas.left, top + 7, styles.foot)
    const label = sheet.pageLabel.replace("{page}", String(page + 1)).replace("{pages}", String(count))
    canvas.rows([label], canvas.right, top + 7, styles.foot, "right")
  }
  return count
}
