import shared from "../../words/it.ts"
import type { DriveWords } from "./en.ts"

const words: DriveWords = {
  ...shared,
  title: "La sua corsa",
  jobs: "Le sue corse",
  noJobs: "Nessuna corsa al momento",
  noJobsHelp: "Le nuove corse appaiono qui da sole.",
  signInFirst: "Acceda per vedere le sue corse",
  signIn: "Accedi",
  goneHelp:
    "La corsa è terminata, oppure l’ufficio le ha inviato un link più recente. Chieda all’ufficio se si aspettava una corsa qui.",
  setOut: "Parti",
  arrive: "Sono arrivato",
  board: "Passeggero a bordo",
  atStop: "Arrivato alla tappa {number}",
  finish: "Termina la corsa",
  close: "Chiudi l’incarico",
  callPassenger: "Chiama il passeggero",
  callOffice: "Chiama l’ufficio",
  navigate: "Navigatore",
  map: "Mappa",
  sign: "Cartello di benvenuto",
  pickup: "Prelievo",
  dropoff: "Destinazione",
  stop: "Tappa {number}",
  lastContact: "Ultimo contatto: {age}",
  noContact: "Nessuna connessione.",
  waiting: "Segnalazioni in attesa: {count}. Partono da sole appena torna la connessione.",
  positionOff:
    "La sua posizione non viene trasmessa. La consenta a questa pagina nelle impostazioni del browser.",
  refused: "L’ultima segnalazione è stata rifiutata:",
  phases: {
    unconfirmed: "L’ufficio non ha ancora confermato questa corsa",
    ready: "Pronto a partire",
    coming: "In viaggio verso il prelievo",
    waiting: "In attesa del passeggero",
    onBoard: "Passeggero a bordo",
    noShow: "Il passeggero non è venuto",
    done: "Questo incarico è concluso",
    declined: "Ha rifiutato questo incarico",
    cancelled: "Questo incarico è stato annullato"
  }
}
export default words
