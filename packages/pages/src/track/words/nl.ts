import shared from "../../words/nl.ts"
import type { TrackWords } from "./en.ts"

const words: TrackWords = {
  ...shared,
  title: "Uw rit",
  pickup: "Ophalen",
  dropoff: "Bestemming",
  map: "Kaart van de rit",
  fit: "Toon de hele rit",
  pickupTime: "Ophalen",
  carAndDriver: "Auto en chauffeur",
  car: "Auto",
  driver: "Chauffeur",
  plate: "Kenteken",
  call: "Bel het kantoor",
  share: "Deel deze pagina",
  arrives: "Komt over ongeveer {time} aan",
  destinationIn: "Over ongeveer {time} op de bestemming",
  noPosition: "De positie verschijnt hier zo dadelijk.",
  position: "Positie: {age}",
  goneHelp: "Het volgen stopt een uur na de rit. Vraag het kantoor om een nieuwe link.",
  pin: "Uw code",
  pinHelp: "Zeg deze code tegen de chauffeur bij het instappen.",
  phases: {
    unconfirmed: ["Uw rit is nog niet bevestigd", "U krijgt bericht zodra dat zo is."],
    booked: ["Uw rit is geboekt", "Chauffeur en auto verschijnen hier vóór het ophalen."],
    assigned: ["Uw chauffeur staat klaar", "Zodra hij vertrekt, ziet u de auto op de kaart."],
    coming: ["Uw chauffeur is onderweg", ""],
    arrived: ["Uw chauffeur is er", "Kom naar de auto."],
    onBoard: ["De rit is bezig", ""],
    noShow: ["Uw chauffeur heeft u niet aangetroffen", "Bel het kantoor."],
    over: ["Deze rit is voorbij", "Dank u voor het meerijden."],
    cancelled: ["Deze rit is geannuleerd", "Had u dit niet verwacht? Bel dan het kantoor."]
  },
  classes: {
    sedan: "Sedan",
    suv: "SUV",
    van: "Busje",
    minibus: "Minibus",
    bus: "Bus",
    limousine: "Limousine",
    other: ""
  }
}
export default words
