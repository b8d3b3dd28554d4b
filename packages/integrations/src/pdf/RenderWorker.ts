/** The thread that draws invoices, so that a long one does not block requests. */
import { parentPort } from "node:worker_threads"
import { drawInvoice, type DrawnInvoice } from "./DrawInvoice.ts"
import type { InvoiceSheet } from "./InvoiceSheet.ts"

/** The thread's message for each sheet, in order. */
export type RenderAnswer =
  | { readonly _tag: "drawn"; readonly drawn: DrawnInvoice }
  | { readonly _tag: "failed"; readonly reason: string }

const answer = async (sheet: InvoiceSheet): Promise<RenderAnswer> => {
  try {
    return { _tag: "drawn", drawn: await drawInvoice(sheet) }
  } catch (cause) {
    return { _tag: "failed", reason: cause instanceof Error ? cause.message : String(cause) }
  }
}

parentPort?.on("message", (sheet: InvoiceSheet) => {
  void answer(sheet).then((answered) =>
    parentPort?.postMessage(answered, answered._tag === "drawn" ? [answered.drawn.bytes.buffer] : [])
  )
})
