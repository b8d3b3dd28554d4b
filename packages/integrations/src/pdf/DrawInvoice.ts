/** Draws a sheet as a PDF/A-3 (ISO 19005-3, level B): fonts inside, colours defined, files attached. */
import Pdfkit from "pdfkit"
import { makeCanvas, drawFeet } from "./Canvas.ts"
import { drawClosing } from "./ClosingBlock.ts"
import { flatLogo } from "./FlatLogo.ts"
import { drawHead } from "./HeadBlock.ts"
import type { InvoiceSheet } from "./InvoiceSheet.ts"
import { inspectImage } from "./Logo.ts"
import { drawTable } from "./TableBlock.ts"
import { makeTypesetter, type Pdf } from "./Typesetter.ts"

/** A drawn sheet. */
export interface DrawnInvoice {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly pages: number
  readonly missing: ReadonlyArray<string>
  readonly logo: "none" | "drawn" | "unusable"
  /** The logo as it was drawn, if it was made cheaper for that: later sheets may have it instead. */
  readonly flatLogo: Uint8Array<ArrayBuffer> | undefined
}

const flatLogoOf = ({ logo }: InvoiceSheet) => {
  const image = logo === null ? undefined : inspectImage(logo)
  return logo === null || image === undefined ? undefined : flatLogo(logo, image)
}

/** The title without control characters and the signs of XML, because pdfkit does not escape it. */
const safeTitle = (text: string) => text.replaceAll(/[\p{Cc}<>&]/gu, " ")

const attach = (pdf: Pdf, sheet: InvoiceSheet, at: Date) => {
  if (sheet.attachment === null) return
  const { description, metadata, name, text, type } = sheet.attachment
  // The types of pdfkit lack `relationship`, which PDF/A-3 demands of every file.
  const options = {
    name,
    description,
    type,
    creationDate: at,
    modifiedDate: at,
    relationship: "Alternative"
  }
  pdf.file(Buffer.from(text), options)
  pdf.appendXML(metadata)
}

const written = (pdf: Pdf) =>
  new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    const chunks: Array<Uint8Array> = []
    pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    pdf.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))))
    pdf.on("error", reject)
  })

/** Draws a sheet. The same sheet gives the same bytes: the only time in them is the day of issue. */
export const drawInvoice = async (sheet: InvoiceSheet): Promise<DrawnInvoice> => {
  const at = new Date(`${sheet.issuedOn}T00:00:00Z`)
  const pdf = new Pdfkit({
    size: sheet.paper,
    margin: 0,
    bufferPages: true,
    pdfVersion: "1.7",
    subset: "PDF/A-3b",
    lang: sheet.language,
    displayTitle: true,
    // None: the first font is chosen with the first text.
    font: "",
    info: {
      Title: safeTitle(`${sheet.title} ${sheet.number}`),
      Producer: "Livery",
      Creator: "Livery",
      CreationDate: at
    }
  })
  const bytes = written(pdf)
  const type = makeTypesetter(pdf)
  const flatLogo = flatLogoOf(sheet)
  const canvas = makeCanvas(pdf, type, { ...sheet, logo: flatLogo ?? sheet.logo })
  const logo = drawHead(canvas)
  drawTable(canvas)
  drawClosing(canvas)
  const pages = drawFeet(canvas)
  attach(pdf, sheet, at)
  pdf.end()
  return { bytes: await bytes, pages, missing: [...type.missing], logo, flatLogo }
}
