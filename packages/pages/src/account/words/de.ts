import shared from "../../words/de.ts"
import type { AccountWords } from "./en.ts"

const words: AccountWords = {
  ...shared,
  signIn: "Anmelden",
  signUp: "Konto anlegen",
  verify: "E-Mail-Adresse bestätigen",
  forgot: "Passwort vergessen?",
  forgotHelp:
    "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code, mit dem Sie ein neues Passwort setzen.",
  reset: "Neues Passwort setzen",
  invitation: "Einladung annehmen",
  invitationHelp:
    "Wählen Sie ein Passwort für Ihr Konto. Falls Sie mit dieser Adresse schon ein Konto haben, behält es sein Passwort.",
  email: "E-Mail-Adresse",
  password: "Passwort",
  newPassword: "Neues Passwort",
  passwordHint: "Mindestens 8 Zeichen",
  showPassword: "Passwort anzeigen",
  name: "Ihr Name",
  nameOptional: "Ihr Name (freiwillig)",
  businessName: "Name Ihres Unternehmens",
  code: "Code",
  codeHint: "Er steht in der Nachricht, die wir Ihnen gesendet haben.",
  createAccount: "Konto anlegen",
  haveAccount: "Haben Sie schon ein Konto?",
  codeSent: "Wir haben einen Code an {email} gesendet. Er gilt 24 Stunden.",
  resetSent:
    "Falls es zu {email} ein Konto gibt, haben wir eine Nachricht dorthin gesendet. Ihr Code gilt eine Stunde.",
  noCode: "Keinen Code erhalten?",
  sendCode: "Code senden",
  newCode: "Neuen Code anfordern",
  resend: "Neuen Code senden",
  resent: "Falls {email} noch bestätigt werden muss, ist ein neuer Code unterwegs.",
  confirm: "Bestätigen",
  savePassword: "Neues Passwort speichern",
  accept: "Einladung annehmen",
  verified: "Ihre Adresse ist bestätigt",
  passwordSaved: "Ihr neues Passwort ist gespeichert",
  accepted: "Willkommen",
  wrongCode:
    "Dieser Code ist falsch, schon benutzt oder zu alt. Prüfen Sie ihn oder fordern Sie einen neuen an.",
  wrongInvitation:
    "Dieser Code ist falsch, schon benutzt oder zu alt. Bitte lassen Sie sich vom Unternehmen neu einladen.",
  wrongCredentials: "Die E-Mail-Adresse oder das Passwort ist falsch.",
  unverified: "Ihre E-Mail-Adresse ist noch nicht bestätigt.",
  emailExists:
    "Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich an oder setzen Sie ein neues Passwort.",
  closed: "Das ist hier nicht möglich. Bitte wenden Sie sich an den Betreiber dieses Servers.",
  suspended: "Dieses Unternehmen ist gesperrt. Bitte wenden Sie sich an den Betreiber dieses Servers.",
  notAllowed: "Ihr Konto darf das nicht. Bitte fragen Sie einen Inhaber des Unternehmens.",
  ended: "Ihre Sitzung ist beendet. Bitte melden Sie sich erneut an.",
  alreadyMember: "Sie gehören schon zu diesem Unternehmen. Bitte melden Sie sich an.",
  or: "oder",
  continueWith: "Weiter mit {provider}",
  cancelled: "Die Anmeldung wurde abgebrochen. Versuchen Sie es noch einmal oder verwenden Sie Ihr Passwort.",
  startAgain: "Die Anmeldung wurde nicht abgeschlossen. Bitte beginnen Sie in diesem Browser noch einmal.",
  noAccount: "Zu Ihrer E-Mail-Adresse gibt es hier kein Konto. Bitten Sie Ihr Unternehmen um eine Einladung.",
  providerUnverified:
    "Der Anbieter hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort oder melden Sie sich mit Ihrem Passwort an.",
  providerDown:
    "Der Anbieter ist zurzeit nicht erreichbar. Versuchen Sie es später noch einmal oder melden Sie sich mit Ihrem Passwort an.",
  signedIn: "Sie sind angemeldet",
  account: "Konto",
  business: "Unternehmen",
  chooseBusiness: "Unternehmen wählen",
  changeBusiness: "Unternehmen wechseln",
  firstBusiness: "Wie heißt Ihr Unternehmen?",
  createBusiness: "Unternehmen anlegen",
  office: "Büro öffnen",
  jobs: "Ihre Fahrten",
  signOut: "Abmelden"
}
export default words
