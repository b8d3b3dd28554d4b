import shared from "../../words/it.ts"
import type { TrackWords } from "./en.ts"

const words: TrackWords = {
  ...shared,
  title: "La sua corsa",
  pickup: "Partenza",
  dropoff: "Destinazione",
  map: "Mappa della corsa",
  fit: "Mostra tutta la corsa",
  pickupTime: "Partenza",
  carAndDriver: "Auto e autista",
  car: "Auto",
  driver: "Autista",
  plate: "Targa",
  call: "Chiama l’ufficio",
  share: "Condividi questa pagina",
  arrives: "Arriva tra circa {time}",
  destinationIn: "A destinazione tra circa {time}",
  noPosition: "La posizione apparirà qui tra un momento.",
  position: "Posizione: {age}",
  goneHelp: "Il tracciamento termina un’ora dopo la corsa. Chieda un nuovo link all’ufficio.",
  pin: "Il suo codice",
  pinHelp: "Comunichi questo codice all’autista quando sale.",
  phases: {
    unconfirmed: ["La sua corsa non è ancora confermata", "Riceverà un messaggio appena lo sarà."],
    booked: ["La sua corsa è prenotata", "Autista e auto appariranno qui prima della partenza."],
    assigned: ["Il suo autista è pronto", "Appena parte, vedrà l’auto sulla mappa."],
    coming: ["Il suo autista è in arrivo", ""],
    arrived: ["Il suo autista è arrivato", "Raggiunga l’auto, per favore."],
    onBoard: ["È in viaggio", ""],
    noShow: ["Il suo autista non l’ha trovata", "Chiami l’ufficio, per favore."],
    over: ["Questa corsa è terminata", "Grazie per aver viaggiato con noi."],
    cancelled: ["Questa corsa è stata annullata", "Se non se lo aspettava, chiami l’ufficio."]
  },
  classes: {
    sedan: "Berlina",
    suv: "SUV",
    van: "Van",
    minibus: "Minibus",
    bus: "Autobus",
    limousine: "Limousine",
    other: ""
  }
}
export default words
