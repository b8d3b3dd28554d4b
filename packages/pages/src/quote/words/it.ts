import shared from "../../words/it.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Il suo preventivo",
  offer: "Preventivo {reference}",
  item: "Corsa",
  amount: "Prezzo",
  total: "Totale",
  from: "Da",
  to: "A",
  pickup: "Partenza",
  validUntil: "Valido fino al",
  onRequest: "Su richiesta",
  name: "Il suo nome",
  nameHint:
    "Il suo nome, l’ora e l’indirizzo della sua connessione internet sono conservati con l’accettazione.",
  accept: "Accetta il preventivo",
  decline: "Rifiuta",
  declineTitle: "Rifiutare questo preventivo?",
  reason: "Motivo (facoltativo)",
  accepted: "Ha accettato questo preventivo",
  acceptedNext: "{business} prenota ora la sua corsa e le invia una conferma.",
  rejected: "Ha rifiutato questo preventivo",
  rejectedNext: "Se è stato un errore, chiami l’ufficio.",
  expired: "Questo preventivo è scaduto",
  expiredNext: "Ne chieda uno nuovo all’ufficio.",
  converted: "La sua corsa è prenotata",
  convertedNext: "{business} ha prenotato quanto ha accettato. Non deve fare altro.",
  call: "Chiama l’ufficio",
  goneHelp: "Forse l’ufficio le ha inviato un preventivo più recente. Apra il link dell’ultimo messaggio."
}
export default words
