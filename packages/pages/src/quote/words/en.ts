/** The words of the quote page. The other languages have the same keys. */
import shared, { type SharedWords } from "../../words/en.ts"

const words = {
  ...shared,
  title: "Your offer",
  offer: "Offer {reference}",
  item: "Ride",
  amount: "Price",
  total: "Total",
  from: "From",
  to: "To",
  pickup: "Pickup",
  validUntil: "Valid until",
  onRequest: "On request",
  name: "Your name",
  nameHint: "Your name, the time and the address of your internet connection are kept with your acceptance.",
  accept: "Accept the offer",
  decline: "Decline",
  declineTitle: "Decline this offer?",
  reason: "Reason (optional)",
  accepted: "You have accepted this offer",
  acceptedNext: "{business} books your ride now and sends you a confirmation.",
  rejected: "You have declined this offer",
  rejectedNext: "If that was a mistake, please call the office.",
  expired: "This offer has expired",
  expiredNext: "Please ask the office for a new one.",
  converted: "Your ride is booked",
  convertedNext: "{business} has booked what you accepted. You need not do anything more.",
  call: "Call the office",
  goneHelp: "The office may have sent you a newer offer. Please open the link of the latest message."
}

/** The words of the quote page. */
export interface QuoteWords
  extends SharedWords, Readonly<Record<Exclude<keyof typeof words, keyof SharedWords>, string>> {}

export default words as QuoteWords
