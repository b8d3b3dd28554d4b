import shared from "../../words/fr.ts"
import type { TrackWords } from "./en.ts"

const words: TrackWords = {
  ...shared,
  title: "Votre course",
  pickup: "Prise en charge",
  dropoff: "Destination",
  map: "Carte de la course",
  fit: "Afficher tout le trajet",
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
  position: "Position : {age}",
  goneHelp: "Le suivi s’arrête une heure après la course. Demandez un nouveau lien au bureau.",
  pin: "Votre code",
  pinHelp: "Donnez ce code au chauffeur en montant.",
  phases: {
    unconfirmed: ["Votre course n’est pas encore confirmée", "Vous recevrez un message dès qu’elle le sera."],
    booked: [
      "Votre course est réservée",
      "Le chauffeur et la voiture s’afficheront ici avant la prise en charge."
    ],
    assigned: ["Votre chauffeur est prêt", "Dès son départ, vous verrez la voiture sur la carte."],
    coming: ["Votre chauffeur est en route", ""],
    arrived: ["Votre chauffeur est arrivé", "Veuillez rejoindre la voiture."],
    onBoard: ["Vous êtes en route", ""],
    noShow: ["Votre chauffeur ne vous a pas trouvé", "Veuillez appeler le bureau."],
    over: ["Cette course est terminée", "Merci d’avoir voyagé avec nous."],
    cancelled: ["Cette course a été annulée", "Si vous ne vous y attendiez pas, appelez le bureau."]
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
