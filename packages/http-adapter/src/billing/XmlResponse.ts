/** The response with the XRechnung of an invoice or of a credit note. */
import { HttpServerResponse } from "effect/http"
import type { XRechnungFile } from "@livery/domain"

/** The response with the XML. */
export const xmlResponse = ({ number, xml }: XRechnungFile): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(xml, {
    contentType: "application/xml; charset=utf-8",
    headers: {
      "Access-Control-Expose-Headers": "Content-Disposition",
      "Content-Disposition": `attachment; filename="${number}.xml"`,
      "X-Content-Type-Options": "nosniff"
    }
  })
