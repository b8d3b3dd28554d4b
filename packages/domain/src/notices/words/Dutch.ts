import type { NoticeWords } from "./NoticeWords.ts"

export const dutch: NoticeWords = {
  greeting: "Beste {{recipient_name}},",
  booked: "Uw rit {{reference}} op {{pickup_time}} is geboekt.",
  changed: "Uw rit {{reference}} is gewijzigd. U wordt opgehaald op {{pickup_time}}.",
  cancelled: "Uw rit {{reference}} op {{pickup_time}} is geannuleerd.",
  reminder: "Herinnering: uw rit {{reference}} is op {{pickup_time}}.",
  driver_assigned: "Uw chauffeur voor rit {{reference}} op {{pickup_time}} is {{driver_name}}.",
  on_the_way: "Uw chauffeur is onderweg.",
  arrived: "Uw chauffeur is er.",
  done: "Uw rit {{reference}} is afgelopen. Dank u.",
  driver_new: "Nieuwe rit {{reference}} op {{pickup_time}}.",
  driver_changed: "Rit {{reference}} is gewijzigd. Het ophalen is op {{pickup_time}}.",
  driver_cancelled: "Rit {{reference}} op {{pickup_time}} is niet langer van u.",
  driver_message: "Bericht van kantoor: {{message}}",
  driver_declined: "{{driver_name}} heeft rit {{reference}} op {{pickup_time}} geweigerd. {{message}}"
}
