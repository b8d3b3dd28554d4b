import type { LetterWords } from "./LetterWords.ts"

export const english: LetterWords = {
  invoice: "Invoice {{number}} from {{business_name}}",
  attached: "Invoice {{number}} of {{amount}} is attached.",
  due: "{{amount}} is due.",
  dueOn: "{{amount}} is due on {{date}}.",
  nothingDue: "Nothing is due.",
  payOnline: "Pay online: {{link}}",
  reminder: "Reminder: invoice {{number}} from {{business_name}}",
  dueSince: "{{amount}} is due on invoice {{number}} since {{date}}.",
  alreadyPaid: "If you have paid in the meantime, please ignore this message.",
  statement: "Statement of account from {{business_name}}",
  statementAttached:
    "The statement of your account from {{from}} to {{to}} is attached. Balance: {{amount}}.",
  quote_sent: {
    subject: "Quote {{reference}} from {{business_name}}",
    text: "Dear {{customer_name}},\n\nOur offer of {{total}} is here:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "Quote {{reference}} is accepted",
    text: "Dear {{customer_name}},\n\nWe have recorded the acceptance of quote {{reference}} for {{total}}.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "Booking {{reference}} is confirmed",
    text: "Dear {{customer_name}},\n\nYour booking {{reference}} is confirmed:\n{{description}}\n{{starts_at}}\n{{total}}\n\nThe attached file adds it to your calendar.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "Booking {{reference}} is cancelled",
    text: "Dear {{customer_name}},\n\nYour booking {{reference}} of {{description}} at {{starts_at}} is cancelled.\n\n{{business_name}}"
  }
}
