import type { SharedWords } from "./en.ts"

const words: SharedWords = {
  language: "Taal",
  loading: "Laden",
  retry: "Opnieuw proberen",
  close: "Sluiten",
  cancel: "Annuleren",
  back: "Terug",
  unreachable: "Geen verbinding. Controleer uw internetverbinding en probeer het opnieuw.",
  serverFault: "Er ging iets mis aan onze kant. Probeer het zo dadelijk opnieuw.",
  unavailable:
    "Dit kan op dit moment niet. Er is niets gewijzigd. Probeer het over een paar minuten opnieuw.",
  tooMany: "Te veel verzoeken. Wacht een minuut en probeer het dan opnieuw.",
  moved: "Dit bedrijf is verhuisd naar {url}. Meld u daar aan.",
  openMoved: "Het nieuwe adres openen",
  offline: "U bent offline. Deze pagina wordt bijgewerkt zodra u weer verbinding hebt.",
  gone: "Deze link werkt niet meer",
  pageMissing: "Deze pagina bestaat niet",
  pageMissingHelp: "Controleer het adres of open de link uit uw bericht nog eens.",
  fixFields: "Controleer de gemarkeerde velden.",
  copied: "Link gekopieerd",
  zone: "Tijdzone: {zone}",
  yourTime: "{time} uw tijd",
  required: "Vul dit veld in.",
  invalid: "Controleer deze waarde.",
  tooShort: "Dit is te kort.",
  tooLong: "Dit is te lang.",
  outOfRange: "Deze waarde is niet mogelijk.",
  unknownValue: "Kies een van de aangeboden waarden.",
  noSuchRecord: "Niet gevonden."
}
export default words
