import shared from "../../words/es.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Su oferta",
  offer: "Oferta {reference}",
  item: "Viaje",
  amount: "Precio",
  total: "Total",
  from: "De",
  to: "A",
  pickup: "Recogida",
  validUntil: "Válida hasta",
  onRequest: "A consultar",
  name: "Su nombre",
  nameHint: "Su nombre, la hora y la dirección de su conexión a internet se guardan con su aceptación.",
  accept: "Aceptar la oferta",
  decline: "Rechazar",
  declineTitle: "¿Rechazar esta oferta?",
  reason: "Motivo (opcional)",
  accepted: "Ha aceptado esta oferta",
  acceptedNext: "{business} reserva ahora su viaje y le envía una confirmación.",
  rejected: "Ha rechazado esta oferta",
  rejectedNext: "Si fue un error, llame a la oficina.",
  expired: "Esta oferta ha caducado",
  expiredNext: "Pida una nueva a la oficina.",
  converted: "Su viaje está reservado",
  convertedNext: "{business} ha reservado lo que aceptó. No tiene que hacer nada más.",
  call: "Llamar a la oficina",
  goneHelp:
    "Es posible que la oficina le haya enviado una oferta más reciente. Abra el enlace del último mensaje."
}
export default words
