import type { NoticeWords } from "./NoticeWords.ts"

export const italian: NoticeWords = {
  greeting: "Buongiorno {{recipient_name}},",
  booked: "La sua corsa {{reference}} del {{pickup_time}} è prenotata.",
  changed: "La sua corsa {{reference}} è cambiata. Il prelievo è il {{pickup_time}}.",
  cancelled: "La sua corsa {{reference}} del {{pickup_time}} è annullata.",
  reminder: "Promemoria: la sua corsa {{reference}} è il {{pickup_time}}.",
  driver_assigned: "Il suo autista per la corsa {{reference}} del {{pickup_time}} è {{driver_name}}.",
  on_the_way: "Il suo autista è in arrivo.",
  arrived: "Il suo autista è arrivato.",
  done: "La sua corsa {{reference}} è terminata. Grazie.",
  driver_new: "Nuova corsa {{reference}} il {{pickup_time}}.",
  driver_changed: "La corsa {{reference}} è cambiata. Il prelievo è il {{pickup_time}}.",
  driver_cancelled: "La corsa {{reference}} del {{pickup_time}} non è più sua.",
  driver_message: "Messaggio dall'ufficio: {{message}}",
  driver_declined: "{{driver_name}} ha rifiutato la corsa {{reference}} del {{pickup_time}}. {{message}}"
}
