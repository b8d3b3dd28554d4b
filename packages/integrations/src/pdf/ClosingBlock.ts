/** The part below the table: totals, payment, the reasons for missing tax, and notes. */
import { ascent, type Canvas, colors, leading, styles } from "./Canvas.ts"
import { drawFacts, factsHeight } from "./FactsBlock.ts"
import { drawQrCode } from "./QrCode.ts"

const totalsWidth = 236
const qrSide = 100

const rowHeight = (weight: "plain" | "strong" | "due") => (weight === "due" ? 27 : 17)

/** Draws the totals at the right edge, and returns the `y` below them. */
const drawTotals = (canvas: Canvas): number => {
  const { pdf, sheet, type } = canvas
  const left = canvas.right - totalsWidth
  let y = canvas.y
  for (const { label, value, weight } of sheet.totals) {
    const height = rowHeight(weight)
    const style = weight === "due" ? styles.dueRow : weight === "strong" ? styles.strong : styles.body
    if (weight === "due") {
      y += 4
      pdf.roundedRect(left, y, totalsWidth, height, 4).fillColor(colors.accent).fill()
    }
    if (weight === "strong")
      pdf.moveTo(left, y).lineTo(canvas.right, y).lineWidth(0.6).strokeColor(colors.rule).stroke()
    const base = y + height / 2 + style.size * 0.36
    const room = totalsWidth - 28 - type.width(value, style)
    const scale = Math.min(1, room / type.width(label, style))
    type.draw(label, left + 10, base, { ...style, size: style.size * scale })
    type.draw(value, canvas.right - 10, base, style, "right")
    y += height
  }
  return y
}

/** Draws the link and the QR code for paying online at the left edge, and returns the `y` below them. */
const drawOnline = (canvas: Canvas): number => {
  const { pdf, sheet, type } = canvas
  if (sheet.online === null) return canvas.y
  const { action, heading, url } = sheet.online
  const top = canvas.y - 6
  drawQrCode(pdf, url, canvas.left - 8, top, qrSide)
  const x = canvas.left + qrSide + 2
  const room = canvas.width - totalsWidth - qrSide - 30
  let y = canvas.rows(type.rows(heading, styles.strong, room), x, top + 14, styles.strong) + 4
  const textTop = y
  y = canvas.rows(type.rows(action, styles.action, room), x, y, styles.action)
  y = canvas.rows(type.rows(url.replace(/^https?:\/\//u, ""), styles.link, room), x, y, styles.link)
  pdf.link(x, textTop, room, y - textTop, url)
  pdf.link(canvas.left - 8, top, qrSide, qrSide, url)
  return Math.max(y, top + qrSide)
}

const bankHeight = (canvas: Canvas) => {
  const { bank } = canvas.sheet
  return bank === null ? 0 : leading(styles.strong) + 6 + factsHeight(canvas, bank.facts, canvas.left) + 14
}

const drawBank = (canvas: Canvas) => {
  const { bank } = canvas.sheet
  if (bank === null) return
  canvas.y = canvas.rows([bank.heading], canvas.left, canvas.y, styles.strong) + 6
  drawFacts(canvas, bank.facts, canvas.left)
  canvas.y += 14
}

const totalsHeight = (canvas: Canvas) =>
  canvas.sheet.totals.reduce((sum, { weight }) => sum + rowHeight(weight), 4)

/** Draws a text that may continue on the next page. */
const drawText = (canvas: Canvas, heading: string | null, text: string) => {
  const rows = canvas.type.rows(text, styles.body, canvas.width)
  const first = (heading === null ? 0 : leading(styles.strong) + 2) + leading(styles.body)
  if (canvas.y + first > canvas.bottom) canvas.beginPage()
  if (heading !== null) canvas.y = canvas.rows([heading], canvas.left, canvas.y, styles.strong) + 2
  for (const row of rows) {
    if (canvas.y + leading(styles.body) > canvas.bottom) canvas.beginPage()
    canvas.type.draw(row, canvas.left, canvas.y + ascent(styles.body), styles.body)
    canvas.y += leading(styles.body)
  }
  canvas.y += 12
}

/** Draws the rest of the invoice. Totals and payment stay together on one page. */
export const drawClosing = (canvas: Canvas): void => {
  const { sheet } = canvas
  const height = Math.max(totalsHeight(canvas), sheet.online === null ? 0 : qrSide - 6)
  if (canvas.y + height + 12 + bankHeight(canvas) > canvas.bottom) canvas.beginPage()
  canvas.y = Math.max(drawTotals(canvas), drawOnline(canvas)) + 12
  drawBank(canvas)
  for (const note of sheet.taxNotes) drawText(canvas, null, note)
  if (sheet.notes !== null) drawText(canvas, sheet.notes.heading, sheet.notes.text)
}
