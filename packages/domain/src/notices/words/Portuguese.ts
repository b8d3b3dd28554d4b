import type { NoticeWords } from "./NoticeWords.ts"

export const portuguese: NoticeWords = {
  greeting: "Bom dia {{recipient_name}},",
  booked: "A sua viagem {{reference}} de {{pickup_time}} está reservada.",
  changed: "A sua viagem {{reference}} foi alterada. A recolha é em {{pickup_time}}.",
  cancelled: "A sua viagem {{reference}} de {{pickup_time}} está cancelada.",
  reminder: "Lembrete: a sua viagem {{reference}} é em {{pickup_time}}.",
  driver_assigned: "O seu motorista para a viagem {{reference}} de {{pickup_time}} é {{driver_name}}.",
  on_the_way: "O seu motorista está a caminho.",
  arrived: "O seu motorista chegou.",
  done: "A sua viagem {{reference}} terminou. Obrigado.",
  driver_new: "Nova viagem {{reference}} em {{pickup_time}}.",
  driver_changed: "A viagem {{reference}} foi alterada. A recolha é em {{pickup_time}}.",
  driver_cancelled: "A viagem {{reference}} de {{pickup_time}} já não é sua.",
  driver_message: "Mensagem do escritório: {{message}}",
  driver_declined: "{{driver_name}} recusou a viagem {{reference}} de {{pickup_time}}. {{message}}"
}
