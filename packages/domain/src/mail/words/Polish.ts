import type { LetterWords } from "./LetterWords.ts"

export const polish: LetterWords = {
  invoice: "Faktura {{number}} od {{business_name}}",
  attached: "W załączniku znajduje się faktura {{number}} na kwotę {{amount}}.",
  due: "Do zapłaty pozostaje {{amount}}.",
  dueOn: "Do zapłaty pozostaje {{amount}}, termin: {{date}}.",
  nothingDue: "Nic nie pozostaje do zapłaty.",
  payOnline: "Zapłać online: {{link}}",
  reminder: "Przypomnienie: faktura {{number}} od {{business_name}}",
  dueSince: "Z faktury {{number}} pozostaje do zapłaty {{amount}}; termin minął {{date}}.",
  alreadyPaid: "Jeśli płatność została już wykonana, prosimy zignorować tę wiadomość.",
  statement: "Wyciąg z konta od {{business_name}}",
  statementAttached:
    "W załączniku znajduje się wyciąg z Państwa konta od {{from}} do {{to}}. Saldo: {{amount}}.",
  quote_sent: {
    subject: "Oferta {{reference}} od {{business_name}}",
    text: "Dzień dobry, {{customer_name}}!\n\nOto nasza oferta na kwotę {{total}}:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "Oferta {{reference}} została przyjęta",
    text: "Dzień dobry, {{customer_name}}!\n\nZapisaliśmy przyjęcie oferty {{reference}} na kwotę {{total}}.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "Rezerwacja {{reference}} jest potwierdzona",
    text: "Dzień dobry, {{customer_name}}!\n\nRezerwacja {{reference}} jest potwierdzona:\n{{description}}\n{{starts_at}}\n{{total}}\n\nZałączony plik dodaje ją do kalendarza.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "Rezerwacja {{reference}} została anulowana",
    text: "Dzień dobry, {{customer_name}}!\n\nRezerwacja {{reference}}, {{description}}, {{starts_at}}, została anulowana.\n\n{{business_name}}"
  }
}
