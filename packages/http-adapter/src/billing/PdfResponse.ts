/** The response with the PDF of an invoice or of a credit note. */
import { HttpServerResponse } from "effect/http"
import type { InvoicePdf } from "@livery/domain"

/** The headers that an app on another origin may read. */
const exposed = [
  "Content-Disposition",
  "X-Missing-Characters",
  "X-Electronic-Invoice",
  "X-Electronic-Invoice-Faults"
].join(",")

/** The most bytes of missing characters in the header. Clients and proxies refuse a response with long headers. */
const maxMissing = 2000

/** Characters percent-encoded, the first ones that fit into {@link maxMissing} bytes. */
const encoded = (characters: ReadonlyArray<string>) => {
  let text = ""
  for (const character of characters) {
    const next = encodeURIComponent(character)
    if (text.length + next.length > maxMissing) break
    text += next
  }
  return text
}

/**
 * The headers, which name the file, the missing characters (percent-encoded) and the faults of the electronic
 * invoice.
 */
const headersOf = ({ electronic, missing_characters, number }: InvoicePdf) => ({
  "Content-Disposition": `inline; filename="${number}.pdf"`,
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Expose-Headers": exposed,
  "X-Missing-Characters": encoded(missing_characters),
  "X-Electronic-Invoice": electronic._tag,
  ...(electronic._tag === "incomplete"
    ? { "X-Electronic-Invoice-Faults": electronic.faults.slice(0, 50).join(", ") }
    : {})
})

/** The response with a PDF. */
export const pdfResponse = (pdf: InvoicePdf): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(pdf.bytes, { contentType: "application/pdf", headers: headersOf(pdf) })
