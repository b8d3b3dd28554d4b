import shared from "../../words/nl.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Uw offerte",
  offer: "Offerte {reference}",
  item: "Rit",
  amount: "Prijs",
  total: "Totaal",
  from: "Van",
  to: "Naar",
  pickup: "Ophalen",
  validUntil: "Geldig tot",
  onRequest: "Op aanvraag",
  name: "Uw naam",
  nameHint: "Uw naam, het tijdstip en het adres van uw internetverbinding worden bij uw akkoord bewaard.",
  accept: "Offerte accepteren",
  decline: "Afwijzen",
  declineTitle: "Deze offerte afwijzen?",
  reason: "Reden (optioneel)",
  accepted: "U hebt deze offerte geaccepteerd",
  acceptedNext: "{business} boekt nu uw rit en stuurt u een bevestiging.",
  rejected: "U hebt deze offerte afgewezen",
  rejectedNext: "Was dat een vergissing? Bel dan het kantoor.",
  expired: "Deze offerte is verlopen",
  expiredNext: "Vraag het kantoor om een nieuwe.",
  converted: "Uw rit is geboekt",
  convertedNext: "{business} heeft geboekt wat u hebt geaccepteerd. U hoeft niets meer te doen.",
  call: "Bel het kantoor",
  goneHelp:
    "Misschien heeft het kantoor u een nieuwere offerte gestuurd. Open de link in het laatste bericht."
}
export default words
