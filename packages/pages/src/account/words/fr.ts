import shared from "../../words/fr.ts"
import type { AccountWords } from "./en.ts"

const words: AccountWords = {
  ...shared,
  signIn: "Se connecter",
  signUp: "Créer votre compte",
  verify: "Confirmer votre adresse e-mail",
  forgot: "Mot de passe oublié ?",
  forgotHelp:
    "Saisissez votre adresse e-mail. Nous vous enverrons un code pour choisir un nouveau mot de passe.",
  reset: "Choisir un nouveau mot de passe",
  invitation: "Accepter l’invitation",
  invitationHelp:
    "Choisissez un mot de passe pour votre compte. Si vous avez déjà un compte avec cette adresse, il garde son mot de passe.",
  email: "Adresse e-mail",
  password: "Mot de passe",
  newPassword: "Nouveau mot de passe",
  passwordHint: "Au moins 8 caractères",
  showPassword: "Afficher le mot de passe",
  name: "Votre nom",
  nameOptional: "Votre nom (facultatif)",
  businessName: "Nom de votre entreprise",
  code: "Code",
  codeHint: "Il se trouve dans le message que nous vous avons envoyé.",
  createAccount: "Créer un compte",
  haveAccount: "Vous avez déjà un compte ?",
  codeSent: "Nous avons envoyé un code à {email}. Il est valable 24 heures.",
  resetSent:
    "S’il existe un compte pour {email}, nous lui avons envoyé un message. Son code est valable une heure.",
  noCode: "Pas de code reçu ?",
  sendCode: "Envoyer le code",
  newCode: "Demander un nouveau code",
  resend: "Envoyer un nouveau code",
  resent: "Si {email} doit encore être confirmée, un nouveau code est en route.",
  confirm: "Confirmer",
  savePassword: "Enregistrer le nouveau mot de passe",
  accept: "Accepter l’invitation",
  verified: "Votre adresse est confirmée",
  passwordSaved: "Votre nouveau mot de passe est enregistré",
  accepted: "Bienvenue",
  wrongCode: "Ce code est faux, déjà utilisé ou trop ancien. Vérifiez-le ou demandez-en un nouveau.",
  wrongInvitation:
    "Ce code est faux, déjà utilisé ou trop ancien. Demandez une nouvelle invitation à l’entreprise.",
  wrongCredentials: "L’adresse e-mail ou le mot de passe est incorrect.",
  unverified: "Votre adresse e-mail n’est pas encore confirmée.",
  emailExists:
    "Il existe déjà un compte avec cette adresse. Connectez-vous ou choisissez un nouveau mot de passe.",
  closed: "Cela n’est pas possible ici. Veuillez contacter l’exploitant de ce serveur.",
  suspended: "Cette entreprise est suspendue. Veuillez contacter l’exploitant de ce serveur.",
  notAllowed: "Votre compte n’en a pas le droit. Demandez à un propriétaire de l’entreprise.",
  ended: "Votre session est terminée. Veuillez vous reconnecter.",
  alreadyMember: "Vous appartenez déjà à cette entreprise. Veuillez vous connecter.",
  or: "ou",
  continueWith: "Continuer avec {provider}",
  cancelled: "La connexion a été annulée. Réessayez ou utilisez votre mot de passe.",
  startAgain: "La connexion n’a pas abouti. Veuillez recommencer dans ce navigateur.",
  noAccount:
    "Aucun compte ne correspond ici à votre adresse e-mail. Demandez une invitation à votre entreprise.",
  providerUnverified:
    "Le fournisseur n’a pas confirmé votre adresse e-mail. Confirmez-la chez lui ou connectez-vous avec votre mot de passe.",
  providerDown:
    "Le fournisseur est injoignable pour le moment. Réessayez plus tard ou connectez-vous avec votre mot de passe.",
  signedIn: "Session ouverte",
  account: "Compte",
  business: "Entreprise",
  chooseBusiness: "Choisir l’entreprise",
  changeBusiness: "Changer d’entreprise",
  firstBusiness: "Comment s’appelle votre entreprise ?",
  createBusiness: "Créer l’entreprise",
  office: "Ouvrir le bureau",
  jobs: "Vos courses",
  signOut: "Se déconnecter"
}
export default words
