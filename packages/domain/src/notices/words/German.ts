import type { NoticeWords } from "./NoticeWords.ts"

export const german: NoticeWords = {
  greeting: "Guten Tag {{recipient_name}},",
  booked: "Ihre Fahrt {{reference}} am {{pickup_time}} ist gebucht.",
  changed: "Ihre Fahrt {{reference}} hat sich geändert. Die Abholung ist am {{pickup_time}}.",
  cancelled: "Ihre Fahrt {{reference}} am {{pickup_time}} ist storniert.",
  reminder: "Erinnerung: Ihre Fahrt {{reference}} ist am {{pickup_time}}.",
  driver_assigned: "Ihre Fahrt {{reference}} am {{pickup_time}} fährt {{driver_name}}.",
  on_the_way: "Ihr Fahrer ist unterwegs.",
  arrived: "Ihr Fahrer ist da.",
  done: "Ihre Fahrt {{reference}} ist beendet. Vielen Dank.",
  driver_new: "Neue Fahrt {{reference}} am {{pickup_time}}.",
  driver_changed: "Die Fahrt {{reference}} hat sich geändert. Die Abholung ist am {{pickup_time}}.",
  driver_cancelled: "Die Fahrt {{reference}} am {{pickup_time}} entfällt für Sie.",
  driver_message: "Nachricht vom Büro: {{message}}",
  driver_declined: "{{driver_name}} hat die Fahrt {{reference}} am {{pickup_time}} abgelehnt. {{message}}"
}
