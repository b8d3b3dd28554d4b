import type { NoticeWords } from "./NoticeWords.ts"

export const french: NoticeWords = {
  greeting: "Bonjour {{recipient_name}},",
  booked: "Votre trajet {{reference}} du {{pickup_time}} est réservé.",
  changed: "Votre trajet {{reference}} a été modifié. La prise en charge est le {{pickup_time}}.",
  cancelled: "Votre trajet {{reference}} du {{pickup_time}} est annulé.",
  reminder: "Rappel : votre trajet {{reference}} a lieu le {{pickup_time}}.",
  driver_assigned: "Votre chauffeur pour le trajet {{reference}} du {{pickup_time}} est {{driver_name}}.",
  on_the_way: "Votre chauffeur est en route.",
  arrived: "Votre chauffeur est arrivé.",
  done: "Votre trajet {{reference}} est terminé. Merci.",
  driver_new: "Nouveau trajet {{reference}} le {{pickup_time}}.",
  driver_changed: "Le trajet {{reference}} a été modifié. La prise en charge est le {{pickup_time}}.",
  driver_cancelled: "Le trajet {{reference}} du {{pickup_time}} ne vous est plus attribué.",
  driver_message: "Message du bureau : {{message}}",
  driver_declined: "{{driver_name}} a refusé la course {{reference}} du {{pickup_time}}. {{message}}"
}
