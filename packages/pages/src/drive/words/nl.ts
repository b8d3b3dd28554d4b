import shared from "../../words/nl.ts"
import type { DriveWords } from "./en.ts"

const words: DriveWords = {
  ...shared,
  title: "Uw rit",
  jobs: "Uw ritten",
  noJobs: "Op dit moment geen ritten",
  noJobsHelp: "Nieuwe ritten verschijnen hier vanzelf.",
  signInFirst: "Log in om uw ritten te zien",
  signIn: "Inloggen",
  goneHelp:
    "Uw rit is afgelopen, of kantoor heeft u een nieuwere link gestuurd. Vraag kantoor als u hier een rit verwacht.",
  setOut: "Vertrekken",
  arrive: "Ik ben er",
  board: "Passagier is aan boord",
  atStop: "Bij stop {number} aangekomen",
  finish: "Rit afronden",
  close: "Opdracht sluiten",
  callPassenger: "Passagier bellen",
  callOffice: "Kantoor bellen",
  navigate: "Navigeren",
  map: "Kaart",
  sign: "Naambord",
  pickup: "Ophalen",
  dropoff: "Bestemming",
  stop: "Stop {number}",
  lastContact: "Laatste contact: {age}",
  noContact: "Geen verbinding.",
  waiting: "Wachtende meldingen: {count}. Ze worden vanzelf verstuurd zodra er verbinding is.",
  positionOff:
    "Uw positie wordt niet gemeld. Sta dit voor deze pagina toe in de instellingen van uw browser.",
  refused: "De laatste melding is geweigerd:",
  phases: {
    unconfirmed: "Kantoor heeft deze rit nog niet bevestigd",
    ready: "Klaar om te vertrekken",
    coming: "Onderweg naar het ophaaladres",
    waiting: "Wachten op de passagier",
    onBoard: "Passagier aan boord",
    noShow: "De passagier is niet gekomen",
    done: "Deze opdracht is klaar",
    declined: "U hebt deze opdracht geweigerd",
    cancelled: "Deze opdracht is geannuleerd"
  }
}
export default words
