import type { NoticeWords } from "./NoticeWords.ts"

export const polish: NoticeWords = {
  greeting: "Dzień dobry {{recipient_name}},",
  booked: "Przejazd {{reference}} {{pickup_time}} jest zarezerwowany.",
  changed: "Przejazd {{reference}} został zmieniony. Odbiór: {{pickup_time}}.",
  cancelled: "Przejazd {{reference}} {{pickup_time}} jest odwołany.",
  reminder: "Przypomnienie: przejazd {{reference}} odbędzie się {{pickup_time}}.",
  driver_assigned: "Kierowcą przejazdu {{reference}} {{pickup_time}} jest {{driver_name}}.",
  on_the_way: "Kierowca jest w drodze.",
  arrived: "Kierowca jest na miejscu.",
  done: "Przejazd {{reference}} zakończył się. Dziękujemy.",
  driver_new: "Nowy przejazd {{reference}} {{pickup_time}}.",
  driver_changed: "Przejazd {{reference}} został zmieniony. Odbiór: {{pickup_time}}.",
  driver_cancelled: "Przejazd {{reference}} {{pickup_time}} nie należy już do Ciebie.",
  driver_message: "Wiadomość z biura: {{message}}",
  driver_declined: "{{driver_name}} odrzuca kurs {{reference}} w dniu {{pickup_time}}. {{message}}"
}
