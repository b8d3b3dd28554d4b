import shared from "../../words/it.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "La sua offerta",
  offer: "Offerta {reference}",
  item: "Viaggio",
  amount: "Prezzo",
  total: "Totale",
  from: "Da",
  to: "A",
  pickup: "Partenza",
  validUntil: "Valida fino al",
  onRequest: "Su richiesta",
  name: "Il suo nome",
  nameHint:
    "Il suo nome, l’ora e l’indirizzo della sua connessione internet sono conservati con l’accettazione.",
  accept: "Accetta l’offerta",
  decline: "Rifiuta",
  declineTitle: "Rifiutare questa offerta?",
  reason: "Motivo (facoltativo)",
  accepted: "Ha accettato questa offerta",
  acceptedNext: "{business} prenota ora il suo viaggio e le invia una conferma.",
  rejected: "Ha rifiutato questa offerta",
  rejectedNext: "Se è stato un errore, chiami l’ufficio.",
  expired: "Questa offerta è scaduta",
  expiredNext: "Ne chieda una nuova all’ufficio.",
  converted: "Il suo viaggio è prenotato",
  convertedNext: "{business} ha prenotato quanto ha accettato. Non deve fare altro.",
  call: "Chiama l’ufficio",
  goneHelp: "Forse l’ufficio le ha inviato un’offerta più recente. Apra il link dell’ultimo messaggio."
}
export default words
