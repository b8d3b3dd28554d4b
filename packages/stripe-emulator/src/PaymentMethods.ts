/** The test cards (Stripe's page "Testing", as PaymentMethods) and the result of a payment or a refund with each. */

/** A bank's refusal as Stripe reports it. */
export interface Decline {
  readonly code: string
  readonly declineCode: string | undefined
  readonly message: string
}

/** What happens to a payment with the card, and to a refund of that payment. */
export interface TestCard {
  readonly payment: "succeeds" | "needs_authentication" | Decline
  readonly refund: "succeeds" | "fails_later" | "succeeds_later"
  readonly last4: string
}

const succeeding = (last4: string, refund: TestCard["refund"] = "succeeds"): TestCard => ({
  payment: "succeeds",
  refund,
  last4
})

const declined = (declineCode: string, message: string, last4: string, code = "card_declined"): TestCard => ({
  payment: { code, declineCode: code === "card_declined" ? declineCode : undefined, message },
  refund: "succeeds",
  last4
})

const cards: Readonly<Record<string, TestCard>> = {
  pm_card_visa: succeeding("4242"),
  pm_card_visa_debit: succeeding("5556"),
  pm_card_mastercard: succeeding("4444"),
  pm_card_amex: succeeding("8431"),
  pm_card_refundFail: succeeding("5126", "fails_later"),
  pm_card_pendingRefund: succeeding("7726", "succeeds_later"),
  pm_card_authenticationRequired: { payment: "needs_authentication", refund: "succeeds", last4: "3184" },
  pm_card_visa_chargeDeclined: declined("generic_decline", "Your card was declined.", "0002"),
  pm_card_visa_chargeDeclinedInsufficientFunds: declined(
    "insufficient_funds",
    "Your card has insufficient funds.",
    "9995"
  ),
  pm_card_visa_chargeDeclinedLostCard: declined("lost_card", "Your card was declined.", "9987"),
  pm_card_visa_chargeDeclinedStolenCard: declined("stolen_card", "Your card was declined.", "9979"),
  pm_card_chargeDeclinedExpiredCard: declined("", "Your card has expired.", "0069", "expired_card"),
  pm_card_chargeDeclinedIncorrectCvc: declined(
    "",
    "Your card's security code is incorrect.",
    "0127",
    "incorrect_cvc"
  ),
  pm_card_chargeDeclinedProcessingError: declined(
    "",
    "An error occurred while processing your card. Try again in a little bit.",
    "0119",
    "processing_error"
  )
}

/** The test card of that name; undefined if there is none. */
export const testCard = (paymentMethod: string): TestCard | undefined => cards[paymentMethod]
