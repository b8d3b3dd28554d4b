/** The head of the first page: logo, title, seller, buyer and the facts. */
import { type Canvas, colors, styles } from "./Canvas.ts"
import { drawFacts } from "./FactsBlock.ts"
import type { Fact } from "./InvoiceSheet.ts"
import { inspectImage } from "./Logo.ts"
import type { Pdf } from "./Typesetter.ts"

/** The space for a logo, in points. */
const logoBox = { width: 190, height: 48 }

/** An image that pdfkit has opened. Its published types do not have it. */
interface OpenedImage {
  /** The orientation that a camera wrote into a JPEG, from 1 to 8 (Exif); absent in a PNG. */
  readonly orientation?: number
}

const openImage = (pdf: Pdf, image: Uint8Array) =>
  (pdf as Pdf & { readonly openImage: (bytes: Buffer) => OpenedImage }).openImage(Buffer.from(image))

/** Whether pdfkit turns the image by a quarter, so that its width is drawn as its height. */
const isTurned = ({ orientation = 1 }: OpenedImage) => orientation > 4

/**
 * Draws the logo, or the seller's name if there is no usable logo. Returns whether the invoice has a logo, and whether
 * the logo was drawn.
 */
const drawLogo = (canvas: Canvas): "none" | "drawn" | "unusable" => {
  const { pdf, sheet, type } = canvas
  const image = sheet.logo === null ? undefined : inspectImage(sheet.logo)
  if (sheet.logo !== null && image !== undefined) {
    // pdfkit takes an image that is open already, so that it is not unpacked twice.
    const opened = openImage(pdf, sheet.logo)
    const [width, height] = isTurned(opened) ? [image.height, image.width] : [image.width, image.height]
    const scale = Math.min(logoBox.width / width, logoBox.height / height, 0.75)
    pdf.image(opened as object as Buffer, canvas.left, canvas.y, { width: width * scale })
    return "drawn"
  }
  const rows = type.rows(sheet.seller.name, styles.name, canvas.width * 0.5).slice(0, 3)
  canvas.rows(rows, canvas.left, canvas.y, styles.name)
  return sheet.logo === null ? "none" : "unusable"
}

const drawStamp = (canvas: Canvas, stamp: string, right: number, y: number) => {
  const { pdf, sheet, type } = canvas
  const width = type.width(stamp.toLocaleUpperCase(sheet.language), styles.stamp) + 16
  pdf
    .roundedRect(right - width, y, width, 17, 3)
    .lineWidth(1)
    .strokeColor(colors.accent)
    .stroke()
  type.draw(stamp.toLocaleUpperCase(sheet.language), right - width / 2, y + 11.8, styles.stamp, "center")
}

const drawTitle = (canvas: Canvas) => {
  const { sheet, type } = canvas
  type.draw(sheet.title, canvas.right, canvas.y + 20, styles.title, "right")
  if (sheet.stamp !== null) drawStamp(canvas, sheet.stamp, canvas.right, canvas.y + 32)
}

/** Draws a party, and returns the `y` below it. */
const drawParty = (canvas: Canvas, party: Canvas["sheet"]["buyer"], x: number, width: number) => {
  const { sheet, type } = canvas
  let y = canvas.rows([party.heading.toLocaleUpperCase(sheet.language)], x, canvas.y, styles.label) + 4
  y = canvas.rows(type.rows(party.name, styles.strong, width), x, y, styles.strong)
  return canvas.rows(
    party.rows.flatMap((row) => type.rows(row, styles.body, width)),
    x,
    y,
    styles.body
  )
}

/** The smallest space between two main facts. */
const leastGap = 12

/** How much smaller the values of the main facts are drawn, so that all of them fit on a width: 1 if they fit as they are. */
const scaleOf = ({ type }: Canvas, facts: ReadonlyArray<Fact>, width: number) => {
  const values = facts.reduce((sum, { value }) => sum + type.width(value, styles.figure), 0)
  return Math.min(1, (width - leastGap * (facts.length - 1)) / values)
}

/** The main facts side by side on a panel, the last one set apart. */
const drawMainFacts = (canvas: Canvas, facts: ReadonlyArray<Fact>) => {
  const { pdf, sheet, type } = canvas
  const height = 44
  const inner = canvas.width - 32
  const scale = scaleOf(canvas, facts, inner)
  const figure = { ...styles.figure, size: styles.figure.size * scale }
  const due = { ...styles.due, size: styles.due.size * scale }
  pdf.roundedRect(canvas.left, canvas.y, canvas.width, height, 5).fillColor(colors.panel).fill()
  const widths = facts.map(({ label, value }) =>
    Math.max(type.width(label.toLocaleUpperCase(sheet.language), styles.label), type.width(value, figure))
  )
  const gap = Math.max(
    leastGap,
    (inner - widths.reduce((sum, width) => sum + width, 0)) / Math.max(1, facts.length - 1)
  )
  let x = canvas.left + 16
  facts.forEach(({ label, value }, at) => {
    const isLast = at === facts.length - 1
    const [edge, align] = isLast ? [canvas.right - 16, "right" as const] : [x, "left" as const]
    type.draw(label.toLocaleUpperCase(sheet.language), edge, canvas.y + 17, styles.label, align)
    type.draw(value, edge, canvas.y + 33, isLast ? due : figure, align)
    x += (widths[at] ?? 0) + gap
  })
  canvas.y += height
}

/** Draws the head, moves `y` below it, and returns whether the logo was drawn. */
export const drawHead = (canvas: Canvas): "none" | "drawn" | "unusable" => {
  const { sheet } = canvas
  const logo = drawLogo(canvas)
  drawTitle(canvas)
  canvas.y += 72
  const column = canvas.width / 2
  const end = Math.max(
    drawParty(canvas, sheet.buyer, canvas.left, column - 24),
    drawParty(canvas, sheet.seller, canvas.left + column, column)
  )
  canvas.y = end + 16
  drawMainFacts(canvas, sheet.facts)
  if (sheet.furtherFacts.length > 0) {
    canvas.y += 10
    drawFacts(canvas, sheet.furtherFacts, canvas.left + 16)
  }
  canvas.y += 15
  return logo
}
