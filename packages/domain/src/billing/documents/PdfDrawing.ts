/** Drawing the PDF of an invoice, a credit note or a statement. */
import { Effect, RcMap } from "effect"
import { makeBoundedQueue } from "../../kernel/concurrency/BoundedQueue.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import { bytesOf } from "../../uploads/FileBytes.ts"
import { Uploads } from "../../uploads/Uploads.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { InvoiceDocument } from "./InvoiceDocument.ts"
import type { InvoiceFacts } from "../invoice/InvoiceFactsRepository.ts"
import { InvoiceRenderer } from "./InvoiceRenderer.ts"
import { becauseOf, PdfUnavailable } from "./PdfUnavailable.ts"
import type { StatementDocument } from "./StatementDocument.ts"

/** The file name of an upload, read from its address. */
const uploadOf = (address: string) => /\/uploads\/([0-9a-f]{40}_[0-9a-z]{1,16})$/u.exec(address)?.[1]

/** How many documents of one business may wait to be drawn. */
const waitingPerBusiness = 32

/**
 * - `logoOf`: the bytes of the business's logo, if it is one of its uploads: other addresses are not requested.
 * - `render`: the PDF of a description. A business gives the renderer one document after the other, so that those of other
 *   businesses wait for one of its documents at most, however many it wants. Missing characters and faults of the electronic
 *   invoice are logged with the invoice.
 * - `renderStatement`: the PDF of a statement, in the same queue.
 */
export const makePdfDrawing = Effect.gen(function* () {
  const renderer = yield* InvoiceRenderer
  const uploads = yield* Uploads
  const queues = yield* RcMap.make({
    lookup: (_businessId: BusinessId) => makeBoundedQueue({ concurrency: 1, waiting: waitingPerBusiness })
  })

  const logoOf = Effect.fnUntraced(function* (
    { logo_url }: InvoiceFacts["seller"],
    { business_id }: Pick<Invoice, "business_id">
  ) {
    const name = uploadOf(logo_url ?? "")
    if (name === undefined) return null
    return yield* uploads.open(name).pipe(
      Effect.flatMap(({ bytes, upload }) => {
        if (upload.business_id !== business_id) return Effect.succeed(null)
        return bytesOf(bytes, upload.size)
      }),
      Effect.catchTags({
        NotFound: () => Effect.succeed(null),
        FilesUnavailable: (error) => Effect.fail(becauseOf(error)),
        FileUnreadable: (error) => Effect.fail(becauseOf(error))
      })
    )
  })

  const renderInTurn = (document: InvoiceDocument | StatementDocument, businessId: BusinessId) =>
    RcMap.get(queues, businessId).pipe(
      Effect.flatMap((queued) => queued(renderer.render(document))),
      Effect.scoped,
      Effect.catchTag("TooManyRequests", () =>
        Effect.fail(new PdfUnavailable({ reason: "too many PDFs are being drawn" }))
      )
    )

  const render = Effect.fnUntraced(function* (
    document: InvoiceDocument,
    { business_id, invoice_id }: Pick<Invoice, "business_id" | "invoice_id">
  ) {
    const rendered = yield* renderInTurn(document, business_id)
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

  const renderStatement = (document: StatementDocument, { business_id }: Pick<Invoice, "business_id">) =>
    renderInTurn(document, business_id)

  return { logoOf, render, renderStatement }
})
