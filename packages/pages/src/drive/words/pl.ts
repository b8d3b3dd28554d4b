import shared from "../../words/pl.ts"
import type { DriveWords } from "./en.ts"

const words: DriveWords = {
  ...shared,
  title: "Twój kurs",
  jobs: "Twoje kursy",
  noJobs: "Na razie brak kursów",
  noJobsHelp: "Nowe kursy pojawią się tu same.",
  signInFirst: "Zaloguj się, aby zobaczyć kursy",
  signIn: "Zaloguj się",
  goneHelp:
    "Kurs się zakończył albo biuro przysłało nowszy link. Zapytaj biuro, jeśli spodziewasz się tu kursu.",
  setOut: "Wyruszam",
  arrive: "Jestem na miejscu",
  board: "Pasażer w samochodzie",
  atStop: "Jestem na przystanku {number}",
  finish: "Zakończ kurs",
  close: "Zamknij zlecenie",
  callPassenger: "Zadzwoń do pasażera",
  callOffice: "Zadzwoń do biura",
  navigate: "Nawiguj",
  map: "Mapa",
  sign: "Tabliczka powitalna",
  pickup: "Odbiór",
  dropoff: "Cel",
  stop: "Przystanek {number}",
  lastContact: "Ostatni kontakt: {age}",
  noContact: "Brak połączenia.",
  waiting: "Oczekujące zgłoszenia: {count}. Zostaną wysłane same, gdy wróci połączenie.",
  positionOff: "Pozycja nie jest zgłaszana. Zezwól na nią tej stronie w ustawieniach przeglądarki.",
  refused: "Ostatnie zgłoszenie odrzucono:",
  phases: {
    unconfirmed: "Biuro nie potwierdziło jeszcze tego kursu",
    ready: "Gotowe do wyjazdu",
    coming: "W drodze po pasażera",
    waiting: "Oczekiwanie na pasażera",
    onBoard: "Pasażer w samochodzie",
    noShow: "Pasażer nie przyszedł",
    done: "To zlecenie jest zakończone",
    declined: "Odrzucono to zlecenie",
    cancelled: "To zlecenie odwołano"
  }
}
export default words
