import type { LetterWords } from "./LetterWords.ts"

export const italian: LetterWords = {
  invoice: "Fattura {{number}} di {{business_name}}",
  attached: "In allegato la fattura {{number}} di {{amount}}.",
  due: "Restano da pagare {{amount}}.",
  dueOn: "Restano da pagare {{amount}} entro il {{date}}.",
  nothingDue: "Non resta nulla da pagare.",
  payOnline: "Paga online: {{link}}",
  reminder: "Promemoria: fattura {{number}} di {{business_name}}",
  dueSince: "{{amount}} della fattura {{number}} sono scaduti dal {{date}}.",
  alreadyPaid: "Se nel frattempo ha già pagato, ignori questo messaggio.",
  statement: "Estratto conto di {{business_name}}",
  statementAttached: "In allegato l'estratto del Suo conto dal {{from}} al {{to}}. Saldo: {{amount}}.",
  quote_sent: {
    subject: "Preventivo {{reference}} di {{business_name}}",
    text: "Gentile {{customer_name}},\n\necco il nostro preventivo di {{total}}:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "Il preventivo {{reference}} è accettato",
    text: "Gentile {{customer_name}},\n\nabbiamo registrato l’accettazione del preventivo {{reference}} di {{total}}.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "La prenotazione {{reference}} è confermata",
    text: "Gentile {{customer_name}},\n\nla Sua prenotazione {{reference}} è confermata:\n{{description}}\n{{starts_at}}\n{{total}}\n\nIl file allegato la aggiunge al Suo calendario.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "La prenotazione {{reference}} è annullata",
    text: "Gentile {{customer_name}},\n\nla Sua prenotazione {{reference}}, {{description}}, {{starts_at}}, è annullata.\n\n{{business_name}}"
  }
}
