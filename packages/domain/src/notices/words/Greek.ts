import type { NoticeWords } from "./NoticeWords.ts"

export const greek: NoticeWords = {
  greeting: "Καλημέρα {{recipient_name}},",
  booked: "Η διαδρομή σας {{reference}} στις {{pickup_time}} έχει κρατηθεί.",
  changed: "Η διαδρομή σας {{reference}} άλλαξε. Η παραλαβή είναι στις {{pickup_time}}.",
  cancelled: "Η διαδρομή σας {{reference}} στις {{pickup_time}} ακυρώθηκε.",
  reminder: "Υπενθύμιση: η διαδρομή σας {{reference}} είναι στις {{pickup_time}}.",
  driver_assigned: "Ο οδηγός σας για τη διαδρομή {{reference}} στις {{pickup_time}} είναι {{driver_name}}.",
  on_the_way: "Ο οδηγός σας είναι καθ' οδόν.",
  arrived: "Ο οδηγός σας έφτασε.",
  done: "Η διαδρομή σας {{reference}} ολοκληρώθηκε. Ευχαριστούμε.",
  driver_new: "Νέα διαδρομή {{reference}} στις {{pickup_time}}.",
  driver_changed: "Η διαδρομή {{reference}} άλλαξε. Η παραλαβή είναι στις {{pickup_time}}.",
  driver_cancelled: "Η διαδρομή {{reference}} στις {{pickup_time}} δεν είναι πλέον δική σας.",
  driver_message: "Μήνυμα από το γραφείο: {{message}}",
  driver_declined: "{{driver_name}}: απόρριψη της διαδρομής {{reference}} στις {{pickup_time}}. {{message}}"
}
