import shared from "../../words/fr.ts"
import type { DriveWords } from "./en.ts"

const words: DriveWords = {
  ...shared,
  title: "Votre course",
  jobs: "Vos courses",
  noJobs: "Aucune course pour le moment",
  noJobsHelp: "Les nouvelles courses apparaissent ici d’elles-mêmes.",
  signInFirst: "Connectez-vous pour voir vos courses",
  signIn: "Se connecter",
  goneHelp:
    "Votre course est terminée, ou le bureau vous a envoyé un lien plus récent. Demandez au bureau si vous attendez une course ici.",
  setOut: "Partir",
  arrive: "Je suis arrivé",
  board: "Passager à bord",
  atStop: "Arrivé à l’arrêt {number}",
  finish: "Terminer la course",
  close: "Clore la mission",
  callPassenger: "Appeler le passager",
  callOffice: "Appeler le bureau",
  navigate: "Naviguer",
  map: "Carte",
  sign: "Panneau d’accueil",
  pickup: "Prise en charge",
  dropoff: "Destination",
  stop: "Arrêt {number}",
  lastContact: "Dernier contact : {age}",
  noContact: "Pas de connexion.",
  waiting: "Rapports en attente : {count}. Ils partent d’eux-mêmes dès que la connexion revient.",
  positionOff:
    "Votre position n’est pas transmise. Autorisez-la pour cette page dans les réglages du navigateur.",
  refused: "Le dernier rapport a été refusé :",
  phases: {
    unconfirmed: "Le bureau n’a pas encore confirmé cette course",
    ready: "Prêt à partir",
    coming: "En route vers la prise en charge",
    waiting: "En attente du passager",
    onBoard: "Passager à bord",
    noShow: "Le passager n’est pas venu",
    done: "Cette mission est terminée",
    declined: "Vous avez refusé cette mission",
    cancelled: "Cette mission a été annulée"
  }
}
export default words
