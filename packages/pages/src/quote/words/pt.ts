import shared from "../../words/pt.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "A sua proposta",
  offer: "Proposta {reference}",
  item: "Viagem",
  amount: "Preço",
  total: "Total",
  from: "De",
  to: "Para",
  pickup: "Recolha",
  validUntil: "Válida até",
  onRequest: "Sob consulta",
  name: "O seu nome",
  nameHint: "O seu nome, a hora e o endereço da sua ligação à internet são guardados com a aceitação.",
  accept: "Aceitar a proposta",
  decline: "Recusar",
  declineTitle: "Recusar esta proposta?",
  reason: "Motivo (opcional)",
  accepted: "Aceitou esta proposta",
  acceptedNext: "{business} reserva agora a sua viagem e envia-lhe uma confirmação.",
  rejected: "Recusou esta proposta",
  rejectedNext: "Se foi um engano, ligue para o escritório.",
  expired: "Esta proposta expirou",
  expiredNext: "Peça uma nova ao escritório.",
  converted: "A sua viagem está reservada",
  convertedNext: "{business} reservou o que aceitou. Não precisa de fazer mais nada.",
  call: "Ligar para o escritório",
  goneHelp: "O escritório pode ter-lhe enviado uma proposta mais recente. Abra o link da última mensagem."
}
export default words
