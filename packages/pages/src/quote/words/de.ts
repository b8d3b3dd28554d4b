import shared from "../../words/de.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Ihr Angebot",
  offer: "Angebot {reference}",
  item: "Fahrt",
  amount: "Preis",
  total: "Summe",
  from: "Von",
  to: "Nach",
  pickup: "Abholung",
  validUntil: "Gültig bis",
  onRequest: "Auf Anfrage",
  name: "Ihr Name",
  nameHint:
    "Ihr Name, der Zeitpunkt und die Adresse Ihres Internetanschlusses werden mit Ihrer Zusage gespeichert.",
  accept: "Angebot annehmen",
  decline: "Ablehnen",
  declineTitle: "Dieses Angebot ablehnen?",
  reason: "Grund (freiwillig)",
  accepted: "Sie haben dieses Angebot angenommen",
  acceptedNext: "{business} bucht nun Ihre Fahrt und schickt Ihnen eine Bestätigung.",
  rejected: "Sie haben dieses Angebot abgelehnt",
  rejectedNext: "Falls das ein Versehen war, rufen Sie bitte die Zentrale an.",
  expired: "Dieses Angebot ist abgelaufen",
  expiredNext: "Bitte fragen Sie die Zentrale nach einem neuen.",
  converted: "Ihre Fahrt ist gebucht",
  convertedNext: "{business} hat gebucht, was Sie angenommen haben. Sie müssen nichts weiter tun.",
  call: "Zentrale anrufen",
  goneHelp:
    "Vielleicht hat Ihnen die Zentrale ein neueres Angebot geschickt. Bitte öffnen Sie den Link der letzten Nachricht."
}
export default words
