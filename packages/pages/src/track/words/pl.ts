import shared from "../../words/pl.ts"
import type { TrackWords } from "./en.ts"

const words: TrackWords = {
  ...shared,
  title: "Twój przejazd",
  pickup: "Odbiór",
  dropoff: "Cel",
  map: "Mapa przejazdu",
  fit: "Pokaż cały przejazd",
  pickupTime: "Odbiór",
  carAndDriver: "Samochód i kierowca",
  car: "Samochód",
  driver: "Kierowca",
  plate: "Numer rejestracyjny",
  call: "Zadzwoń do biura",
  share: "Udostępnij tę stronę",
  arrives: "Przewidywany czas do przyjazdu: {time}",
  destinationIn: "Przewidywany czas do celu: {time}",
  noPosition: "Pozycja pojawi się tu za chwilę.",
  position: "Pozycja: {age}",
  goneHelp: "Śledzenie kończy się godzinę po przejeździe. Poproś biuro o nowy link.",
  pin: "Twój kod",
  pinHelp: "Podaj ten kod kierowcy przy wsiadaniu.",
  phases: {
    unconfirmed: [
      "Twój przejazd nie jest jeszcze potwierdzony",
      "Otrzymasz wiadomość, gdy tylko zostanie potwierdzony."
    ],
    booked: ["Twój przejazd jest zarezerwowany", "Kierowca i samochód pojawią się tu przed odbiorem."],
    assigned: ["Kierowca jest gotowy", "Gdy wyruszy, zobaczysz samochód na mapie."],
    coming: ["Kierowca jest w drodze", ""],
    arrived: ["Kierowca jest na miejscu", "Podejdź do samochodu."],
    onBoard: ["Przejazd trwa", ""],
    noShow: ["Kierowca Cię nie zastał", "Zadzwoń do biura."],
    over: ["Ten przejazd się zakończył", "Dziękujemy za wspólną podróż."],
    cancelled: ["Ten przejazd został odwołany", "Jeśli to niespodzianka, zadzwoń do biura."]
  },
  classes: {
    sedan: "Sedan",
    suv: "SUV",
    van: "Van",
    minibus: "Minibus",
    bus: "Autobus",
    limousine: "Limuzyna",
    other: ""
  }
}
export default words
