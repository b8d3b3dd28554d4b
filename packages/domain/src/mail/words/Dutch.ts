import type { LetterWords } from "./LetterWords.ts"

export const dutch: LetterWords = {
  invoice: "Factuur {{number}} van {{business_name}}",
  attached: "Factuur {{number}} van {{amount}} is bijgevoegd.",
  due: "Er staat {{amount}} open.",
  dueOn: "Er staat {{amount}} open, te betalen uiterlijk op {{date}}.",
  nothingDue: "Er staat niets open.",
  payOnline: "Online betalen: {{link}}",
  reminder: "Herinnering: factuur {{number}} van {{business_name}}",
  dueSince: "Van factuur {{number}} staat {{amount}} open sinds {{date}}.",
  alreadyPaid: "Hebt u intussen betaald? Dan kunt u dit bericht negeren.",
  statement: "Rekeningoverzicht van {{business_name}}",
  statementAttached:
    "Het overzicht van uw rekening van {{from}} tot en met {{to}} is bijgevoegd. Saldo: {{amount}}.",
  quote_sent: {
    subject: "Offerte {{reference}} van {{business_name}}",
    text: "Beste {{customer_name}},\n\nHier vindt u onze offerte van {{total}}:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "Offerte {{reference}} is geaccepteerd",
    text: "Beste {{customer_name}},\n\nWe hebben vastgelegd dat offerte {{reference}} van {{total}} is geaccepteerd.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "Boeking {{reference}} is bevestigd",
    text: "Beste {{customer_name}},\n\nUw boeking {{reference}} is bevestigd:\n{{description}}\n{{starts_at}}\n{{total}}\n\nHet bijgevoegde bestand zet de boeking in uw agenda.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "Boeking {{reference}} is geannuleerd",
    text: "Beste {{customer_name}},\n\nUw boeking {{reference}}, {{description}}, {{starts_at}}, is geannuleerd.\n\n{{business_name}}"
  }
}
