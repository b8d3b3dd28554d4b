import shared from "../../words/fr.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Votre devis",
  offer: "Devis {reference}",
  item: "Course",
  amount: "Prix",
  total: "Total",
  from: "De",
  to: "À",
  pickup: "Prise en charge",
  validUntil: "Valable jusqu’au",
  onRequest: "Sur demande",
  name: "Votre nom",
  nameHint: "Votre nom, l’heure et l’adresse de votre connexion internet sont conservés avec votre accord.",
  accept: "Accepter le devis",
  decline: "Refuser",
  declineTitle: "Refuser ce devis ?",
  reason: "Motif (facultatif)",
  accepted: "Vous avez accepté ce devis",
  acceptedNext: "{business} réserve maintenant votre course et vous envoie une confirmation.",
  rejected: "Vous avez refusé ce devis",
  rejectedNext: "Si c’était une erreur, appelez le bureau.",
  expired: "Ce devis a expiré",
  expiredNext: "Demandez-en un nouveau au bureau.",
  converted: "Votre course est réservée",
  convertedNext: "{business} a réservé ce que vous avez accepté. Vous n’avez plus rien à faire.",
  call: "Appeler le bureau",
  goneHelp: "Le bureau vous a peut-être envoyé un devis plus récent. Ouvrez le lien du dernier message."
}
export default words
