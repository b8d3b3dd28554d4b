import type { SharedWords } from "./en.ts"

const words: SharedWords = {
  language: "Język",
  loading: "Wczytywanie",
  retry: "Spróbuj ponownie",
  close: "Zamknij",
  cancel: "Anuluj",
  back: "Wstecz",
  unreachable: "Brak połączenia. Sprawdź połączenie z internetem i spróbuj ponownie.",
  serverFault: "Coś poszło nie tak po naszej stronie. Spróbuj ponownie za chwilę.",
  unavailable:
    "W tej chwili nie jest to możliwe. Nic nie zostało zmienione. Spróbuj ponownie za kilka minut.",
  tooMany: "Zbyt wiele zapytań. Odczekaj minutę i spróbuj ponownie.",
  moved: "Ta firma przeniosła się pod adres {url}. Zaloguj się tam.",
  openMoved: "Otwórz nowy adres",
  offline: "Jesteś offline. Strona odświeży się, gdy tylko wróci połączenie.",
  gone: "Ten link już nie działa",
  pageMissing: "Ta strona nie istnieje",
  pageMissingHelp: "Sprawdź adres albo otwórz ponownie link z wiadomości.",
  fixFields: "Sprawdź zaznaczone pola.",
  copied: "Skopiowano link",
  zone: "Strefa czasowa: {zone}",
  yourTime: "{time} Twojego czasu",
  required: "Wypełnij to pole.",
  invalid: "Sprawdź tę wartość.",
  tooShort: "To jest za krótkie.",
  tooLong: "To jest za długie.",
  outOfRange: "Ta wartość nie jest możliwa.",
  unknownValue: "Wybierz jedną z podanych wartości.",
  noSuchRecord: "Nie znaleziono."
}
export default words
