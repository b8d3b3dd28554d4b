import type { LetterWords } from "./LetterWords.ts"

export const french: LetterWords = {
  invoice: "Facture {{number}} de {{business_name}}",
  attached: "La facture {{number}} de {{amount}} est jointe.",
  due: "Il reste {{amount}} à payer.",
  dueOn: "Il reste {{amount}} à payer au plus tard le {{date}}.",
  nothingDue: "Il ne reste rien à payer.",
  payOnline: "Payer en ligne : {{link}}",
  reminder: "Rappel : facture {{number}} de {{business_name}}",
  dueSince: "{{amount}} de la facture {{number}} sont échus depuis le {{date}}.",
  alreadyPaid: "Si vous avez payé entre-temps, veuillez ignorer ce message.",
  statement: "Relevé de compte de {{business_name}}",
  statementAttached: "Le relevé de votre compte du {{from}} au {{to}} est joint. Solde : {{amount}}.",
  quote_sent: {
    subject: "Devis {{reference}} de {{business_name}}",
    text: "Bonjour {{customer_name}},\n\nVoici notre devis de {{total}} :\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "Le devis {{reference}} est accepté",
    text: "Bonjour {{customer_name}},\n\nNous avons enregistré l’acceptation du devis {{reference}} de {{total}}.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "La réservation {{reference}} est confirmée",
    text: "Bonjour {{customer_name}},\n\nVotre réservation {{reference}} est confirmée :\n{{description}}\n{{starts_at}}\n{{total}}\n\nLe fichier joint l’ajoute à votre agenda.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "La réservation {{reference}} est annulée",
    text: "Bonjour {{customer_name}},\n\nVotre réservation {{reference}}, {{description}}, {{starts_at}}, est annulée.\n\n{{business_name}}"
  }
}
