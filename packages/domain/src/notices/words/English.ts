import type { NoticeWords } from "./NoticeWords.ts"

export const english: NoticeWords = {
  greeting: "Dear {{recipient_name}},",
  booked: "Your trip {{reference}} on {{pickup_time}} is booked.",
  changed: "Your trip {{reference}} has changed. The pickup is on {{pickup_time}}.",
  cancelled: "Your trip {{reference}} on {{pickup_time}} is cancelled.",
  reminder: "Reminder: your trip {{reference}} is on {{pickup_time}}.",
  driver_assigned: "Your driver for trip {{reference}} on {{pickup_time}} is {{driver_name}}.",
  on_the_way: "Your driver is on the way.",
  arrived: "Your driver has arrived.",
  done: "Your trip {{reference}} has ended. Thank you.",
  driver_new: "New trip {{reference}} on {{pickup_time}}.",
  driver_changed: "Trip {{reference}} has changed. The pickup is on {{pickup_time}}.",
  driver_cancelled: "Trip {{reference}} on {{pickup_time}} is no longer yours.",
  driver_message: "Message from the office: {{message}}",
  driver_declined: "{{driver_name}} declined trip {{reference}} on {{pickup_time}}. {{message}}"
}
