import type { LetterWords } from "./LetterWords.ts"

export const portuguese: LetterWords = {
  invoice: "Fatura {{number}} de {{business_name}}",
  attached: "Segue em anexo a fatura {{number}} de {{amount}}.",
  due: "Estão por pagar {{amount}}.",
  dueOn: "Estão por pagar {{amount}} até {{date}}.",
  nothingDue: "Nada está por pagar.",
  payOnline: "Pagar online: {{link}}",
  reminder: "Lembrete: fatura {{number}} de {{business_name}}",
  dueSince: "{{amount}} da fatura {{number}} venceram em {{date}}.",
  alreadyPaid: "Se entretanto já pagou, ignore esta mensagem.",
  statement: "Extrato de conta de {{business_name}}",
  statementAttached: "Segue em anexo o extrato da sua conta de {{from}} a {{to}}. Saldo: {{amount}}.",
  quote_sent: {
    subject: "Orçamento {{reference}} de {{business_name}}",
    text: "Olá, {{customer_name}},\n\nAqui está o nosso orçamento de {{total}}:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "O orçamento {{reference}} foi aceite",
    text: "Olá, {{customer_name}},\n\nRegistámos a aceitação do orçamento {{reference}} de {{total}}.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "A reserva {{reference}} está confirmada",
    text: "Olá, {{customer_name}},\n\nA sua reserva {{reference}} está confirmada:\n{{description}}\n{{starts_at}}\n{{total}}\n\nO ficheiro em anexo adiciona-a ao seu calendário.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "A reserva {{reference}} foi cancelada",
    text: "Olá, {{customer_name}},\n\nA sua reserva {{reference}}, {{description}}, {{starts_at}}, foi cancelada.\n\n{{business_name}}"
  }
}
