/** The error of a PDF that could not be made. */
import { Schema } from "effect"

/** No PDF could be made; the same request may succeed later. */
export class PdfUnavailable extends Schema.TaggedError<PdfUnavailable>()("PdfUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return `The PDF could not be made: ${this.reason}`
  }
}

/** No PDF could be made because of another error. */
export const becauseOf = ({ message }: { readonly message: string }) =>
  new PdfUnavailable({ reason: message })
