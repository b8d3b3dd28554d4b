import shared from "../../words/de.ts"
import type { TrackWords } from "./en.ts"

const words: TrackWords = {
  ...shared,
  title: "Ihre Fahrt",
  pickup: "Abholung",
  dropoff: "Ziel",
  map: "Karte der Fahrt",
  fit: "Ganze Fahrt zeigen",
  pickupTime: "Abholung",
  carAndDriver: "Fahrzeug und Fahrer",
  car: "Fahrzeug",
  driver: "Fahrer",
  plate: "Kennzeichen",
  call: "Zentrale anrufen",
  share: "Seite teilen",
  arrives: "Ankunft in etwa {time}",
  destinationIn: "Am Ziel in etwa {time}",
  noPosition: "Die Position erscheint hier gleich.",
  position: "Position: {age}",
  goneHelp:
    "Die Verfolgung endet eine Stunde nach der Fahrt. Bitte fragen Sie die Zentrale nach einem neuen Link.",
  pin: "Ihr Code",
  pinHelp: "Nennen Sie dem Fahrer diesen Code beim Einsteigen.",
  phases: {
    unconfirmed: [
      "Ihre Fahrt ist noch nicht bestätigt",
      "Sie erhalten eine Nachricht, sobald sie bestätigt ist."
    ],
    booked: ["Ihre Fahrt ist gebucht", "Fahrer und Fahrzeug erscheinen hier vor der Abholung."],
    assigned: ["Ihr Fahrer steht bereit", "Sobald er losfährt, sehen Sie das Fahrzeug auf der Karte."],
    coming: ["Ihr Fahrer ist unterwegs", ""],
    arrived: ["Ihr Fahrer ist da", "Bitte kommen Sie zum Fahrzeug."],
    onBoard: ["Die Fahrt läuft", ""],
    noShow: ["Ihr Fahrer hat Sie nicht angetroffen", "Bitte rufen Sie die Zentrale an."],
    over: ["Diese Fahrt ist beendet", "Danke, dass Sie mit uns gefahren sind."],
    cancelled: [
      "Diese Fahrt wurde storniert",
      "Falls Sie das nicht erwartet haben, rufen Sie bitte die Zentrale an."
    ]
  },
  classes: {
    sedan: "Limousine",
    suv: "SUV",
    van: "Van",
    minibus: "Kleinbus",
    bus: "Bus",
    limousine: "Stretchlimousine",
    other: ""
  }
}
export default words
