import type { LaterWords } from "./en.ts"

const words: LaterWords = {
  finishAsk: "Terminer la course ?",
  finishHelp: "La mission se termine, et son lien avec elle.",
  noShowAsk: "Signaler que le passager n’est pas venu ?",
  noShowHelp: "Le bureau voit l’heure et votre position.",
  earlyAsk: "Partir dès maintenant ? La prise en charge est plus tard :",
  closeSign: "Fermer",
  passenger: "Passager",
  people: "Personnes",
  participants: "Participants",
  luggage: "Bagages",
  childSeats: "Sièges enfant",
  flight: "Vol",
  car: "Véhicule",
  details: "Détails",
  pinTitle: "Le code du passager",
  pinHelp: "Le passager voit quatre chiffres sur la page de suivi.",
  pinWrong: "Ce n’est pas le code du passager. Veuillez le redemander.",
  pinTooMany: "Trop de codes ont été essayés. Attendez une minute, puis réessayez.",
  pinNone: "Sans code, demandez au bureau de signaler le passager à bord.",
  tracker: "Position avec l’écran verrouillé",
  trackerHelp:
    "Cette page ne transmet votre position que lorsqu’elle est ouverte. Une application comme Traccar Client ou OwnTracks le fait aussi avec l’écran verrouillé : saisissez-y cette adresse comme serveur. Elle ne vaut que pour cette course ; gardez-la secrète.",
  trackerAddress: "Adresse pour l’application",
  copyAddress: "Copier l’adresse",
  pushTurnOn: "M’avertir des courses dans ce navigateur",
  pushIsOn: "Ce navigateur vous avertit de vos courses.",
  pushBlocked: "Ce navigateur refuse les notifications. Autorisez-les dans ses réglages.",
  pushFailed: "Les notifications n’ont pas pu être activées. Veuillez réessayer."
}
export default words
