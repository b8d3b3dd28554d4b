/** Drawing the PDF of an invoice or of a credit note. */
import { Effect, Stream } from "effect"
import { Uploads } from "../../uploads/Uploads.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { InvoiceDocument } from "./InvoiceDocument.ts"
import type { InvoiceFacts } from "../invoice/InvoiceFactsRepository.ts"
import { InvoiceRenderer, PdfUnavailable } from "./InvoiceRenderer.ts"

/** The file name of an upload, read from its address. */
const uploadOf = (address: string) => /\/uploads\/([0-9a-f]{40}_\d+)$/u.exec(address)?.[1]

const unavailable = (error: { readonly message: string }) => new PdfUnavailable({ reason: error.message })

/**
 * - `logoOf`: the bytes of the business's logo, if it is one of its uploads: other addresses are not requested.
 * - `render`: the PDF of a description. Missing characters and faults of the electronic invoice are logged with the
 *   invoice.
 */
export const makePdfDrawing = Effect.gen(function* () {
  const renderer = yield* InvoiceRenderer
  const uploads = yield* Uploads

  const logoOf = Effect.fnUntraced(function* (
    { logo_url }: InvoiceFacts["seller"],
    { business_id }: Pick<Invoice, "business_id">
  ) {
    const name = uploadOf(logo_url ?? "")
    if (name === undefined || !name.endsWith(`_${business_id}`)) return null
    return yield* uploads.open(name).pipe(
      Effect.flatMap(({ bytes, upload }) =>
        Effect.map(Stream.runCollect(bytes), (parts) => {
          const image = new Uint8Array(upload.size)
          let at = 0
          for (const part of parts) {
            image.set(part, at)
            at += part.length
          }
          return image
        })
      ),
      Effect.catchTags({
        NotFound: () => Effect.succeed(null),
        FilesUnavailable: (error) => Effect.fail(unavailable(error)),
        FileUnreadable: (error) => Effect.fail(unavailable(error))
      })
    )
  })

  const render = Effect.fnUntraced(function* (
    document: InvoiceDocument,
    { business_id, invoice_id }: Pick<Invoice, "business_id" | "invoice_id">
  ) {
    const rendered = yield* renderer.render(document)
    const { electronic, missing_characters } = rendered
    if (missing_characters.length > 0 || electronic._tag === "incomplete")
      yield* Effect.logInfo("the PDF of an invoice is incomplete", {
        business_id,
        invoice_id,
        missing_characters,
        electronic
      })
    return rendered
  })

  return { logoOf, render }
})
