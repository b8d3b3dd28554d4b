/** The status of an invoice: a draft until it has a number, and then a function of its total and of its payments minus refunds. */
import { Schema } from "effect"
import * as StateMachine from "../../kernel/StateMachine.ts"

/** Whether a numbered invoice is paid. */
export const BilledStatus = Schema.Literals(["unpaid", "partial", "paid", "void"])
export type BilledStatus = typeof BilledStatus.Type

/** The status of a numbered invoice, or `draft` without a number. */
export const InvoiceStatus = Schema.Literals(["draft", ...BilledStatus.literals])
export type InvoiceStatus = typeof InvoiceStatus.Type

/**
 * The invoice's transition table. Issuing a draft gives it a number. Payments and refunds move it between `unpaid`, `partial` and `paid`. A changed total
 * may do so, too: the status is a function of the sums. Only an unpaid invoice can be voided.
 */
export const invoiceMachine = StateMachine.make<InvoiceStatus>("invoice", InvoiceStatus.literals, {
  draft: { unpaid: ["operator"] },
  unpaid: { partial: ["payment"], paid: ["payment"], void: ["operator"] },
  partial: { unpaid: ["payment"], paid: ["payment"] },
  paid: { unpaid: ["payment"], partial: ["payment"] },
  void: {}
})

/**
 * The amounts on which the status depends, in minor units. `total_minor` is the total less the sum of the credit
 * notes, `net_minor` the payments minus the refunds.
 */
export interface InvoiceBalance {
  readonly total_minor: number
  readonly net_minor: number
  readonly voided: boolean
}

/** The status that follows from a balance. A voided invoice has no net payments. */
export const invoiceStatusOf = ({ net_minor, total_minor, voided }: InvoiceBalance): BilledStatus => {
  if (voided) return "void"
  if (net_minor <= 0 || total_minor === 0) return "unpaid"
  return net_minor < total_minor ? "partial" : "paid"
}

/** Whether an invoice in this status is still to be paid. */
export const isOpenInvoice = (status: InvoiceStatus): boolean => invoiceMachine.can(status, "paid")

/** The payment status of the trips on an invoice. */
export const tripPaymentStatusOf = (status: InvoiceStatus) =>
  status === "void" || status === "draft" ? "unpaid" : status
