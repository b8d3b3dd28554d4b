import type { LaterWords } from "./en.ts"

const words: LaterWords = {
  finishAsk: "Rit afronden?",
  finishHelp: "De opdracht eindigt, en de link ook.",
  noShowAsk: "Melden dat de passagier niet is gekomen?",
  noShowHelp: "Kantoor ziet de tijd en uw positie.",
  earlyAsk: "Nu al vertrekken? Het ophalen is pas later:",
  closeSign: "Sluiten",
  passenger: "Passagier",
  people: "Personen",
  participants: "Deelnemers",
  luggage: "Bagage",
  childSeats: "Kinderzitjes",
  flight: "Vlucht",
  car: "Auto",
  details: "Details",
  pinTitle: "De code van de passagier",
  pinHelp: "De passagier ziet vier cijfers op de volgpagina.",
  pinWrong: "Dit is niet de code van de passagier. Vraag het nog eens.",
  pinTooMany: "Er zijn te veel codes geprobeerd. Wacht een minuut en probeer het dan opnieuw.",
  pinNone: "Vraag zonder code aan het kantoor om te melden dat de passagier aan boord is.",
  tracker: "Positie met vergrendeld scherm",
  trackerHelp:
    "Deze pagina meldt uw positie alleen zolang ze open is. Een app zoals Traccar Client of OwnTracks doet dat ook met vergrendeld scherm: vul daar dit adres in als server. Het geldt alleen voor deze rit; houd het geheim.",
  trackerAddress: "Adres voor de app",
  copyAddress: "Adres kopiëren",
  pushTurnOn: "Meld ritten in deze browser",
  pushIsOn: "Deze browser meldt uw ritten.",
  pushBlocked: "Deze browser weigert meldingen. Sta ze toe in de instellingen.",
  pushFailed: "De meldingen konden niet worden ingeschakeld. Probeer het opnieuw."
}
export default words
