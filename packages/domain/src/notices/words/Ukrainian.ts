import type { NoticeWords } from "./NoticeWords.ts"

export const ukrainian: NoticeWords = {
  greeting: "Добрий день, {{recipient_name}}!",
  booked: "Вашу поїздку {{reference}} {{pickup_time}} заброньовано.",
  changed: "Вашу поїздку {{reference}} змінено. Подача: {{pickup_time}}.",
  cancelled: "Вашу поїздку {{reference}} {{pickup_time}} скасовано.",
  reminder: "Нагадування: ваша поїздка {{reference}} — {{pickup_time}}.",
  driver_assigned: "Вашу поїздку {{reference}} {{pickup_time}} виконує {{driver_name}}.",
  on_the_way: "Ваш водій у дорозі.",
  arrived: "Ваш водій прибув.",
  done: "Вашу поїздку {{reference}} завершено. Дякуємо.",
  driver_new: "Нова поїздка {{reference}} {{pickup_time}}.",
  driver_changed: "Поїздку {{reference}} змінено. Подача: {{pickup_time}}.",
  driver_cancelled: "Поїздка {{reference}} {{pickup_time}} більше не ваша.",
  driver_message: "Повідомлення з офісу: {{message}}",
  driver_declined: "{{driver_name}} відмовляється від поїздки {{reference}} {{pickup_time}}. {{message}}"
}
