import type { SharedWords } from "./en.ts"

const words: SharedWords = {
  language: "Lingua",
  loading: "Caricamento",
  retry: "Riprova",
  close: "Chiudi",
  cancel: "Annulla",
  back: "Indietro",
  unreachable: "Nessuna connessione. Controlli la connessione a internet e riprovi.",
  serverFault: "Qualcosa è andato storto da parte nostra. Riprovi tra un momento.",
  unavailable: "Al momento non è possibile. Non è stato modificato nulla. Riprovi tra qualche minuto.",
  tooMany: "Troppe richieste. Attenda un minuto, poi riprovi.",
  moved: "Questa azienda si è trasferita su {url}. Acceda da lì.",
  openMoved: "Apri il nuovo indirizzo",
  offline: "È offline. Questa pagina si aggiornerà appena tornerà la connessione.",
  gone: "Questo link non funziona più",
  pageMissing: "Questa pagina non esiste",
  pageMissingHelp: "Controlli l’indirizzo o apra di nuovo il link del messaggio.",
  fixFields: "Controlli i campi segnalati.",
  copied: "Link copiato",
  zone: "Fuso orario: {zone}",
  yourTime: "{time} nella sua ora",
  required: "Compili questo campo.",
  invalid: "Controlli questo valore.",
  tooShort: "È troppo corto.",
  tooLong: "È troppo lungo.",
  outOfRange: "Questo valore non è possibile.",
  unknownValue: "Scelga uno dei valori proposti.",
  noSuchRecord: "Non trovato."
}
export default words
