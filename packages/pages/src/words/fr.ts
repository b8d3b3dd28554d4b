import type { SharedWords } from "./en.ts"

const words: SharedWords = {
  language: "Langue",
  loading: "Chargement",
  retry: "Réessayer",
  close: "Fermer",
  cancel: "Annuler",
  back: "Retour",
  unreachable: "Pas de connexion. Vérifiez votre connexion internet, puis réessayez.",
  serverFault: "Un problème est survenu de notre côté. Veuillez réessayer dans un instant.",
  unavailable:
    "Ce n’est pas possible pour le moment. Rien n’a été modifié. Veuillez réessayer dans quelques minutes.",
  tooMany: "Trop de demandes. Attendez une minute, puis réessayez.",
  moved: "Cette entreprise a déménagé à {url}. Veuillez vous y connecter.",
  openMoved: "Ouvrir la nouvelle adresse",
  offline: "Vous êtes hors ligne. Cette page se mettra à jour dès que la connexion sera rétablie.",
  gone: "Ce lien ne fonctionne plus",
  pageMissing: "Cette page n’existe pas",
  pageMissingHelp: "Vérifiez l’adresse ou ouvrez de nouveau le lien de votre message.",
  fixFields: "Veuillez vérifier les champs signalés.",
  copied: "Lien copié",
  zone: "Fuseau horaire : {zone}",
  yourTime: "{time} à votre heure",
  required: "Veuillez remplir ce champ.",
  invalid: "Veuillez vérifier cette valeur.",
  tooShort: "C’est trop court.",
  tooLong: "C’est trop long.",
  outOfRange: "Cette valeur n’est pas possible.",
  unknownValue: "Veuillez choisir l’une des valeurs proposées.",
  noSuchRecord: "Introuvable."
}
export default words
