import shared from "../../words/de.ts"
import type { DriveWords } from "./en.ts"

const words: DriveWords = {
  ...shared,
  title: "Ihre Fahrt",
  jobs: "Ihre Fahrten",
  noJobs: "Zurzeit keine Fahrten",
  noJobsHelp: "Neue Fahrten erscheinen hier von selbst.",
  signInFirst: "Melden Sie sich an, um Ihre Fahrten zu sehen",
  signIn: "Anmelden",
  goneHelp:
    "Ihre Fahrt ist beendet, oder die Zentrale hat Ihnen einen neueren Link gesendet. Fragen Sie die Zentrale, falls Sie hier eine Fahrt erwarten.",
  setOut: "Losfahren",
  arrive: "Ich bin da",
  board: "Fahrgast ist an Bord",
  atStop: "Bei Halt {number} angekommen",
  finish: "Fahrt beenden",
  close: "Auftrag abschließen",
  callPassenger: "Fahrgast anrufen",
  callOffice: "Zentrale anrufen",
  navigate: "Navigieren",
  map: "Karte",
  sign: "Namensschild",
  pickup: "Abholung",
  dropoff: "Ziel",
  stop: "Halt {number}",
  lastContact: "Letzter Kontakt: {age}",
  noContact: "Keine Verbindung.",
  waiting: "Wartende Meldungen: {count}. Sie werden von selbst gesendet, sobald es eine Verbindung gibt.",
  positionOff:
    "Ihre Position wird nicht gemeldet. Erlauben Sie sie dieser Seite in den Einstellungen Ihres Browsers.",
  refused: "Die letzte Meldung wurde abgelehnt:",
  phases: {
    unconfirmed: "Die Zentrale hat diese Fahrt noch nicht bestätigt",
    ready: "Bereit zum Losfahren",
    coming: "Auf dem Weg zur Abholung",
    waiting: "Warten auf den Fahrgast",
    onBoard: "Fahrgast an Bord",
    noShow: "Der Fahrgast ist nicht gekommen",
    done: "Dieser Auftrag ist erledigt",
    declined: "Sie haben diesen Auftrag abgelehnt",
    cancelled: "Dieser Auftrag wurde storniert"
  }
}
export default words
