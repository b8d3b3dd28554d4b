import type { LaterWords } from "./en.ts"

const words: LaterWords = {
  finishAsk: "Zakończyć kurs?",
  finishHelp: "Zlecenie się kończy, a jego link razem z nim.",
  noShowAsk: "Zgłosić, że pasażer nie przyszedł?",
  noShowHelp: "Biuro zobaczy godzinę i Twoją pozycję.",
  earlyAsk: "Wyruszyć już teraz? Odbiór jest później:",
  closeSign: "Zamknij",
  passenger: "Pasażer",
  people: "Osoby",
  participants: "Uczestnicy",
  luggage: "Bagaż",
  childSeats: "Foteliki dziecięce",
  flight: "Lot",
  car: "Samochód",
  details: "Szczegóły",
  pinTitle: "Kod pasażera",
  pinHelp: "Pasażer widzi cztery cyfry na stronie przejazdu.",
  pinWrong: "To nie jest kod pasażera. Zapytaj jeszcze raz.",
  pinTooMany: "Wypróbowano zbyt wiele kodów. Odczekaj minutę i spróbuj ponownie.",
  pinNone: "Bez kodu poproś biuro o zgłoszenie, że pasażer jest w samochodzie.",
  tracker: "Pozycja przy zablokowanym ekranie",
  trackerHelp:
    "Ta strona zgłasza pozycję tylko wtedy, gdy jest otwarta. Aplikacja taka jak Traccar Client lub OwnTracks robi to także przy zablokowanym ekranie: wpisz w niej ten adres jako serwer. Jest ważny tylko dla tego przejazdu; zachowaj go w tajemnicy.",
  trackerAddress: "Adres dla aplikacji",
  copyAddress: "Kopiuj adres",
  pushTurnOn: "Powiadamiaj o zleceniach w tej przeglądarce",
  pushIsOn: "Ta przeglądarka powiadamia o zleceniach.",
  pushBlocked: "Ta przeglądarka blokuje powiadomienia. Zezwól na nie w ustawieniach.",
  pushFailed: "Nie udało się włączyć powiadomień. Spróbuj ponownie."
}
export default words
