import shared from "../../words/fr.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Votre offre",
  offer: "Offre {reference}",
  item: "Trajet",
  amount: "Prix",
  total: "Total",
  from: "De",
  to: "À",
  pickup: "Prise en charge",
  validUntil: "Valable jusqu’au",
  onRequest: "Sur demande",
  name: "Votre nom",
  nameHint: "Votre nom, l’heure et l’adresse de votre connexion internet sont conservés avec votre accord.",
  accept: "Accepter l’offre",
  decline: "Refuser",
  declineTitle: "Refuser cette offre ?",
  reason: "Motif (facultatif)",
  accepted: "Vous avez accepté cette offre",
  acceptedNext: "{business} réserve maintenant votre trajet et vous envoie une confirmation.",
  rejected: "Vous avez refusé cette offre",
  rejectedNext: "Si c’était une erreur, appelez le bureau.",
  expired: "Cette offre a expiré",
  expiredNext: "Demandez-en une nouvelle au bureau.",
  converted: "Votre trajet est réservé",
  convertedNext: "{business} a réservé ce que vous avez accepté. Vous n’avez plus rien à faire.",
  call: "Appeler le bureau",
  goneHelp: "Le bureau vous a peut-être envoyé une offre plus récente. Ouvrez le lien du dernier message."
}
export default words
