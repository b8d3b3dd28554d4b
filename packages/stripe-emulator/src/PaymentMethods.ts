/** The test cards (Stripe's page "Testing", as PaymentMethods) and what becomes of a payment and a refund with each. */

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
  /** Whether the customer disputes the payment at once. */
  readonly isDisputed: boolean
  readonly last4: string
}

const succeeding = (last4: string, refund: TestCard["refund"] = "succeeds"): TestCard => ({
  payment: "succeeds",
  refund,
  isDisputed: false,
  last4
})

const failing = (last4: string, decline: Decline): TestCard => ({
  payment: decline,
  refund: "succeeds",
  isDisputed: false,
  last4
})

const declined = (last4: string, declineCode: string, message: string) =>
  failing(last4, { code: "card_declined", declineCode, message })

/** A card whose failure has a code of its own instead of `card_declined`. */
const failingWith = (last4: string, code: string, message: string) =>
  failing(last4, { code, declineCode: undefined, message })

const cards: Readonly<Record<string, TestCard>> = {
  pm_card_visa: succeeding("4242"),
  pm_card_visa_debit: succeeding("5556"),
  pm_card_mastercard: succeeding("4444"),
  pm_card_amex: succeeding("8431"),
  pm_card_refundFail: succeeding("5126", "fails_later"),
  pm_card_pendingRefund: succeeding("7726", "succeeds_later"),
  pm_card_createDispute: { ...succeeding("0259"), isDisputed: true },
  pm_card_authenticationRequired: { ...succeeding("3184"), payment: "needs_authentication" },
  pm_card_visa_chargeDeclined: declined("0002", "generic_decline", "Your card was declined."),
  pm_card_visa_chargeDeclinedInsufficientFunds: declined(
    "9995",
    "insufficient_funds",
    "Your card has insufficient funds."
  ),
  pm_card_visa_chargeDeclinedLostCard: declined("9987", "lost_card", "Your card was declined."),
  pm_card_visa_chargeDeclinedStolenCard: declined("9979", "stolen_card", "Your card was declined."),
  pm_card_chargeDeclinedExpiredCard: failingWith("0069", "expired_card", "Your card has expired."),
  pm_card_chargeDeclinedIncorrectCvc: failingWith(
    "0127",
    "incorrect_cvc",
    "Your card's security code is incorrect."
  ),
  pm_card_chargeDeclinedProcessingError: failingWith(
    "0119",
    "processing_error",
    "An error occurred while processing your card. Try again in a little bit."
  )
}

/** The test card of that name; undefined if there is none. */
export const testCard = (paymentMethod: string): TestCard | undefined => cards[paymentMethod]
