/**
 * A quote's life:
 *
 *     draft ◀──▶ sent        draft, sent ──▶ accepted, rejected, expired
 *                            accepted ──▶ converted, rejected
 *
 * A sent quote that is priced or changed is a draft again, and its link stops working.
 */
import { Schema } from "effect"
import * as StateMachine from "../../kernel/StateMachine.ts"

/** The status of a quote. */
export const QuoteStatus = Schema.Literals(["draft", "sent", "accepted", "converted", "rejected", "expired"])
export type QuoteStatus = typeof QuoteStatus.Type

/** The quote's transition table. The customer has no link to a draft, so only the operator accepts or rejects one. */
export const quoteMachine = StateMachine.make<QuoteStatus>("quote", QuoteStatus.literals, {
  draft: { sent: ["operator"], accepted: ["operator"], rejected: ["operator"], expired: ["system"] },
  sent: {
    draft: ["operator"],
    accepted: ["operator", "customer"],
    rejected: ["operator", "customer"],
    expired: ["system"]
  },
  accepted: { converted: ["operator"], rejected: ["operator"] },
  converted: {},
  rejected: {},
  expired: {}
})

/** Whether a quote in this status can still be priced, changed and accepted; such a quote expires. */
export const isOpenQuote = (status: QuoteStatus): boolean => quoteMachine.can(status, "expired")
