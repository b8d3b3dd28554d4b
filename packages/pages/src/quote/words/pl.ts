import shared from "../../words/pl.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Twoja oferta",
  offer: "Oferta {reference}",
  item: "Przejazd",
  amount: "Cena",
  total: "Razem",
  from: "Z",
  to: "Do",
  pickup: "Odbiór",
  validUntil: "Ważna do",
  onRequest: "Na zapytanie",
  name: "Twoje imię i nazwisko",
  nameHint:
    "Twoje imię i nazwisko, czas i adres połączenia internetowego zostaną zapisane razem z akceptacją.",
  accept: "Przyjmij ofertę",
  decline: "Odrzuć",
  declineTitle: "Odrzucić tę ofertę?",
  reason: "Powód (opcjonalnie)",
  accepted: "Przyjęto tę ofertę",
  acceptedNext: "Firma {business} rezerwuje teraz przejazd i wyśle potwierdzenie.",
  rejected: "Odrzucono tę ofertę",
  rejectedNext: "Jeśli to pomyłka, zadzwoń do biura.",
  expired: "Ta oferta wygasła",
  expiredNext: "Poproś biuro o nową.",
  converted: "Twój przejazd jest zarezerwowany",
  convertedNext: "Firma {business} zarezerwowała przyjętą ofertę. Nie musisz nic więcej robić.",
  call: "Zadzwoń do biura",
  goneHelp: "Być może biuro wysłało nowszą ofertę. Otwórz link z ostatniej wiadomości."
}
export default words
