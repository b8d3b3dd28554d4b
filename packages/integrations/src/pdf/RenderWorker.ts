/** The thread that draws invoices, so that a long one does not block requests. */
import { parentPort } from "node:worker_threads"
import type { WorkAnswer } from "../threads/WorkThread.ts"
import { drawInvoice, type DrawnInvoice } from "./DrawInvoice.ts"
import type { InvoiceSheet } from "./InvoiceSheet.ts"

const answer = async (sheet: InvoiceSheet): Promise<WorkAnswer<DrawnInvoice>> => {
  try {
    return { _tag: "done", result: await drawInvoice(sheet) }
  } catch (cause) {
    return { _tag: "failed", reason: cause instanceof Error ? cause.message : String(cause) }
  }
}

parentPort?.on("message", (sheet: InvoiceSheet) => {
  void answer(sheet).then((answered) =>
    parentPort?.postMessage(answered, answered._tag === "done" ? [answered.result.bytes.buffer] : [])
  )
})
