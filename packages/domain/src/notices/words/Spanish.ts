import type { NoticeWords } from "./NoticeWords.ts"

export const spanish: NoticeWords = {
  greeting: "Buenos días, {{recipient_name}}:",
  booked: "Su viaje {{reference}} del {{pickup_time}} está reservado.",
  changed: "Su viaje {{reference}} ha cambiado. La recogida es el {{pickup_time}}.",
  cancelled: "Su viaje {{reference}} del {{pickup_time}} está cancelado.",
  reminder: "Recordatorio: su viaje {{reference}} es el {{pickup_time}}.",
  driver_assigned: "Su conductor para el viaje {{reference}} del {{pickup_time}} es {{driver_name}}.",
  on_the_way: "Su conductor está en camino.",
  arrived: "Su conductor ha llegado.",
  done: "Su viaje {{reference}} ha terminado. Gracias.",
  driver_new: "Nuevo viaje {{reference}} el {{pickup_time}}.",
  driver_changed: "El viaje {{reference}} ha cambiado. La recogida es el {{pickup_time}}.",
  driver_cancelled: "El viaje {{reference}} del {{pickup_time}} ya no es suyo.",
  driver_message: "Mensaje de la oficina: {{message}}",
  driver_declined: "{{driver_name}} ha rechazado el viaje {{reference}} del {{pickup_time}}. {{message}}"
}
