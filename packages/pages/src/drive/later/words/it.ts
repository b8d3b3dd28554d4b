import type { LaterWords } from "./en.ts"

const words: LaterWords = {
  finishAsk: "Terminare la corsa?",
  finishHelp: "L’incarico termina, e con esso il suo link.",
  noShowAsk: "Segnalare che il passeggero non è venuto?",
  noShowHelp: "L’ufficio vede l’ora e la sua posizione.",
  earlyAsk: "Partire già ora? Il prelievo è più tardi:",
  closeSign: "Chiudi",
  passenger: "Passeggero",
  people: "Persone",
  participants: "Partecipanti",
  luggage: "Bagagli",
  childSeats: "Seggiolini",
  flight: "Volo",
  car: "Auto",
  details: "Dettagli",
  pinTitle: "Il codice del passeggero",
  pinHelp: "Il passeggero vede quattro cifre sulla pagina della corsa.",
  pinWrong: "Non è il codice del passeggero. Lo chieda di nuovo.",
  pinTooMany: "Sono stati provati troppi codici. Attenda un minuto, poi riprovi.",
  pinNone: "Senza codice, chieda all’ufficio di segnalare il passeggero a bordo.",
  tracker: "Posizione con lo schermo bloccato",
  trackerHelp:
    "Questa pagina trasmette la sua posizione solo mentre è aperta. Un’app come Traccar Client o OwnTracks lo fa anche con lo schermo bloccato: vi inserisca questo indirizzo come server. Vale solo per questa corsa; lo tenga segreto.",
  trackerAddress: "Indirizzo per l’app",
  copyAddress: "Copia l’indirizzo",
  pushTurnOn: "Avvisami delle corse in questo browser",
  pushIsOn: "Questo browser ti avvisa delle corse.",
  pushBlocked: "Questo browser rifiuta le notifiche. Consentile nelle sue impostazioni.",
  pushFailed: "Non è stato possibile attivare le notifiche. Riprova."
}
export default words
