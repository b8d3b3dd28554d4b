import type { SharedWords } from "./en.ts"

const words: SharedWords = {
  language: "Sprache",
  loading: "Wird geladen",
  retry: "Erneut versuchen",
  close: "Schließen",
  cancel: "Abbrechen",
  back: "Zurück",
  unreachable: "Keine Verbindung. Bitte prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut.",
  serverFault: "Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es gleich noch einmal.",
  unavailable:
    "Das geht gerade nicht. Es wurde nichts geändert. Bitte versuchen Sie es in einigen Minuten noch einmal.",
  tooMany: "Zu viele Anfragen. Bitte warten Sie eine Minute und versuchen Sie es dann erneut.",
  moved: "Dieses Unternehmen ist nach {url} umgezogen. Bitte melden Sie sich dort an.",
  openMoved: "Neue Adresse öffnen",
  offline: "Sie sind offline. Diese Seite wird aktualisiert, sobald Sie wieder verbunden sind.",
  gone: "Dieser Link funktioniert nicht mehr",
  pageMissing: "Diese Seite gibt es nicht",
  pageMissingHelp: "Prüfen Sie die Adresse oder öffnen Sie den Link aus Ihrer Nachricht noch einmal.",
  fixFields: "Bitte prüfen Sie die markierten Felder.",
  copied: "Link kopiert",
  zone: "Zeitzone: {zone}",
  yourTime: "{time} Ihrer Zeit",
  required: "Bitte füllen Sie dieses Feld aus.",
  invalid: "Bitte prüfen Sie diesen Wert.",
  tooShort: "Das ist zu kurz.",
  tooLong: "Das ist zu lang.",
  outOfRange: "Dieser Wert ist nicht möglich.",
  unknownValue: "Bitte wählen Sie einen der angebotenen Werte.",
  noSuchRecord: "Das wurde nicht gefunden."
}
export default words
