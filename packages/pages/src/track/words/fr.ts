import shared from "../../words/fr.ts"
import type { TrackWords } from "./en.ts"

const words: TrackWords = {
  ...shared,
  title: "Votre trajet",
  pickup: "Prise en charge",
  dropoff: "Destination",
  map: "Carte du trajet",
  pickupTime: "Prise en charge",
  carAndDriver: "Voiture et chauffeur",
  car: "Voiture",
  driver: "Chauffeur",
  plate: "Plaque",
  call: "Appeler le bureau",
  share: "Partager cette page",
  arrives: "Arrive dans environ {time}",
  destinationIn: "À destination dans environ {time}",
  noPosition: "La position s’affichera ici dans un instant.",
  position: "Position : {age}",
  goneHelp: "Le suivi s’arrête une heure après le trajet. Demandez un nouveau lien au bureau.",
  pin: "Votre code",
  pinHelp: "Donnez ce code au chauffeur en montant.",
  phases: {
    unconfirmed: ["Votre trajet n’est pas encore confirmé", "Vous recevrez un message dès qu’il le sera."],
    booked: [
      "Votre trajet est réservé",
      "Le chauffeur et la voiture s’afficheront ici avant la prise en charge."
    ],
    assigned: ["Votre chauffeur est prêt", "Dès son départ, vous verrez la voiture sur la carte."],
    coming: ["Votre chauffeur est en route", ""],
    arrived: ["Votre chauffeur est arrivé", "Veuillez rejoindre la voiture."],
    onBoard: ["Le trajet est en cours", ""],
    noShow: ["Votre chauffeur ne vous a pas trouvé", "Veuillez appeler le bureau."],
    over: ["Ce trajet est terminé", "Merci d’avoir voyagé avec nous."],
    cancelled: ["Ce trajet a été annulé", "Si vous ne vous y attendiez pas, appelez le bureau."]
  },
  classes: {
    sedan: "Berline",
    suv: "SUV",
    van: "Van",
    minibus: "Minibus",
    bus: "Autocar",
    limousine: "Limousine",
    other: ""
  }
}
export default words
