import type { LaterWords } from "./en.ts"

const words: LaterWords = {
  answer: "Ihre Antwort",
  accepted: "Von Ihnen angenommen",
  notAccepted: "Noch nicht angenommen",
  acceptJob: "Auftrag annehmen",
  decline: "Ablehnen",
  declineAsk: "Diesen Auftrag ablehnen?",
  declineHelp: "Die Zentrale sucht dann jemand anderen.",
  declineReason: "Grund, wenn Sie möchten",
  finishAsk: "Fahrt beenden?",
  finishHelp: "Der Auftrag endet und mit ihm sein Link.",
  noShow: "Fahrgast kommt nicht",
  possibleIn: "möglich in {time}",
  noShowAsk: "Melden, dass der Fahrgast nicht gekommen ist?",
  noShowHelp: "Die Zentrale sieht die Zeit und Ihre Position.",
  earlyAsk: "Jetzt schon losfahren? Die Abholung ist erst später:",
  closeSign: "Schließen",
  passenger: "Fahrgast",
  people: "Personen",
  participants: "Teilnehmende",
  luggage: "Gepäck",
  childSeats: "Kindersitze",
  flight: "Flug",
  car: "Fahrzeug",
  details: "Einzelheiten",
  pinTitle: "Der Code des Fahrgasts",
  pinHelp: "Der Fahrgast sieht vier Ziffern auf der Seite zu seiner Fahrt.",
  pinWrong: "Das ist nicht der Code des Fahrgasts. Bitte fragen Sie noch einmal.",
  pinTooMany:
    "Es wurden zu viele Codes versucht. Warten Sie eine Minute, und versuchen Sie es dann noch einmal.",
  pinNone: "Ohne Code bitten Sie die Zentrale zu melden, dass der Fahrgast an Bord ist.",
  tracker: "Position bei gesperrtem Bildschirm",
  trackerHelp:
    "Diese Seite meldet Ihre Position nur, solange sie offen ist. Eine App wie Traccar Client oder OwnTracks tut es auch bei gesperrtem Bildschirm: Tragen Sie dort diese Adresse als Server ein. Sie gilt nur für diese Fahrt; halten Sie sie geheim.",
  trackerAddress: "Adresse für die App",
  copyAddress: "Adresse kopieren",
  pushTurnOn: "Aufträge in diesem Browser melden",
  pushIsOn: "Dieser Browser meldet Ihre Aufträge.",
  pushBlocked: "Dieser Browser lehnt Benachrichtigungen ab. Erlauben Sie sie in seinen Einstellungen.",
  pushFailed: "Die Benachrichtigungen konnten nicht eingeschaltet werden. Bitte erneut versuchen."
}
export default words
