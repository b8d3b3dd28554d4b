import shared from "../../words/es.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Su presupuesto",
  offer: "Presupuesto {reference}",
  item: "Viaje",
  amount: "Precio",
  total: "Total",
  from: "De",
  to: "A",
  pickup: "Recogida",
  validUntil: "Válido hasta",
  onRequest: "A consultar",
  name: "Su nombre",
  nameHint: "Su nombre, la hora y la dirección de su conexión a internet se guardan con su aceptación.",
  accept: "Aceptar el presupuesto",
  decline: "Rechazar",
  declineTitle: "¿Rechazar este presupuesto?",
  reason: "Motivo (opcional)",
  accepted: "Ha aceptado este presupuesto",
  acceptedNext: "{business} reserva ahora su viaje y le envía una confirmación.",
  rejected: "Ha rechazado este presupuesto",
  rejectedNext: "Si fue un error, llame a la oficina.",
  expired: "Este presupuesto ha caducado",
  expiredNext: "Pida uno nuevo a la oficina.",
  converted: "Su viaje está reservado",
  convertedNext: "{business} ha reservado lo que aceptó. No tiene que hacer nada más.",
  call: "Llamar a la oficina",
  goneHelp:
    "Es posible que la oficina le haya enviado un presupuesto más reciente. Abra el enlace del último mensaje."
}
export default words
