/** The answer to each step of an invoice, as docs/api/invoices.md and docs/api/payments.md say. */
import type { InvoiceStatus } from "@livery/domain"
import type { ModelAnswer } from "./Model.ts"

/** What decides the answers: an invoice before a step. `credit` is the credit of its customer; amounts are major. */
export interface InvoiceModel {
  readonly status: InvoiceStatus | "gone"
  readonly isSealed: boolean
  readonly total: number
  readonly credited: number
  readonly due: number
  readonly hasEntries: boolean
  readonly credit: number
}

/** The steps whose answer follows from the model. Refunds and reversals depend on their entry, too. */
export type InvoiceStep =
  | "issue"
  | "change"
  | "correct"
  | "void"
  | "remove"
  | "pay"
  | "use"
  | { readonly credit: number }

/** The answer to a step. `change` sends other items; `remove` is not confirmed; `use` and `pay` take any amount. */
export const invoiceAnswer = (invoice: InvoiceModel, step: InvoiceStep): ModelAnswer => {
  const { credit, credited, due, hasEntries, isSealed, status, total } = invoice
  const isVoid = status === "void"
  const rest = total - credited
  const unless = (refused: boolean): ModelAnswer => (refused ? 409 : "ok")
  if (status === "gone") return 404
  if (typeof step === "object") return isVoid || !isSealed ? 409 : step.credit > rest ? 422 : "ok"
  switch (step) {
    case "issue":
      return unless(isVoid && !isSealed)
    case "change":
      return unless(isVoid || isSealed)
    case "correct":
      return unless(!isSealed || isVoid || rest === 0)
    case "void":
      return status === "unpaid" ? unless(credited > 0) : 422
    case "remove":
      return unless(status !== "draft" && (credited > 0 || hasEntries || (isSealed && !isVoid)))
    case "pay":
      return unless(status === "draft" || isVoid)
    case "use":
      return unless(due === 0 || credit === 0)
  }
}
