import type { LetterWords } from "./LetterWords.ts"

export const spanish: LetterWords = {
  invoice: "Factura {{number}} de {{business_name}}",
  attached: "Se adjunta la factura {{number}} de {{amount}}.",
  due: "Quedan por pagar {{amount}}.",
  dueOn: "Quedan por pagar {{amount}} antes del {{date}}.",
  nothingDue: "No queda nada por pagar.",
  payOnline: "Pagar en línea: {{link}}",
  reminder: "Recordatorio: factura {{number}} de {{business_name}}",
  dueSince: "{{amount}} de la factura {{number}} vencieron el {{date}}.",
  alreadyPaid: "Si ya ha pagado entretanto, ignore este mensaje.",
  statement: "Extracto de cuenta de {{business_name}}",
  statementAttached: "Se adjunta el extracto de su cuenta del {{from}} al {{to}}. Saldo: {{amount}}.",
  quote_sent: {
    subject: "Presupuesto {{reference}} de {{business_name}}",
    text: "Hola, {{customer_name}}:\n\nAquí está nuestro presupuesto de {{total}}:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "El presupuesto {{reference}} está aceptado",
    text: "Hola, {{customer_name}}:\n\nHemos registrado la aceptación del presupuesto {{reference}} de {{total}}.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "La reserva {{reference}} está confirmada",
    text: "Hola, {{customer_name}}:\n\nSu reserva {{reference}} está confirmada:\n{{description}}\n{{starts_at}}\n{{total}}\n\nEl archivo adjunto la añade a su calendario.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "La reserva {{reference}} está cancelada",
    text: "Hola, {{customer_name}}:\n\nSu reserva {{reference}}, {{description}}, {{starts_at}}, está cancelada.\n\n{{business_name}}"
  }
}
