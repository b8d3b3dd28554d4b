/** Renderers of invoices that wait as long as a slow machine needs. */
import { InvoiceRenderer } from "@livery/domain"
import { PdfInvoices } from "@livery/integrations"
import { Effect, Layer } from "effect"

/** A timeout that no invoice exceeds, however slow the machine is. */
export const patient = { timeout: "1 hour" } as const

/** A renderer with a thread of its own. */
export const rendererWith = (options: PdfInvoices.PdfInvoicesOptions = {}) =>
  Effect.flatMap(Layer.build(Layer.fresh(PdfInvoices.layer({ ...patient, ...options }))), (context) =>
    InvoiceRenderer.pipe(Effect.provideContext(context))
  )
