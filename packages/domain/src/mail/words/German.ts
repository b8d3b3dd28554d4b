import type { LetterWords } from "./LetterWords.ts"

export const german: LetterWords = {
  invoice: "Rechnung {{number}} von {{business_name}}",
  attached: "Die Rechnung {{number}} über {{amount}} ist angehängt.",
  due: "Offen sind {{amount}}.",
  dueOn: "{{amount}} sind am {{date}} fällig.",
  nothingDue: "Es ist nichts offen.",
  payOnline: "Online bezahlen: {{link}}",
  reminder: "Zahlungserinnerung: Rechnung {{number}} von {{business_name}}",
  dueSince: "Auf der Rechnung {{number}} sind seit dem {{date}} {{amount}} fällig.",
  alreadyPaid: "Falls Sie inzwischen bezahlt haben, betrachten Sie diese Nachricht bitte als gegenstandslos.",
  statement: "Kontoauszug von {{business_name}}",
  statementAttached:
    "Der Auszug Ihres Kundenkontos vom {{from}} bis {{to}} ist angehängt. Saldo: {{amount}}.",
  quote_sent: {
    subject: "Angebot {{reference}} von {{business_name}}",
    text: "Guten Tag {{customer_name}},\n\nhier finden Sie unser Angebot über {{total}}:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "Angebot {{reference}} ist angenommen",
    text: "Guten Tag {{customer_name}},\n\nwir haben die Annahme des Angebots {{reference}} über {{total}} erfasst.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "Buchung {{reference}} ist bestätigt",
    text: "Guten Tag {{customer_name}},\n\nIhre Buchung {{reference}} ist bestätigt:\n{{description}}\n{{starts_at}}\n{{total}}\n\nDie angehängte Datei trägt sie in Ihren Kalender ein.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "Buchung {{reference}} ist storniert",
    text: "Guten Tag {{customer_name}},\n\nIhre Buchung {{reference}}, {{description}}, {{starts_at}}, ist storniert.\n\n{{business_name}}"
  }
}
