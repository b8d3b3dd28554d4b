import shared from "../../words/uk.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "Ваша пропозиція",
  offer: "Пропозиція {reference}",
  item: "Поїздка",
  amount: "Ціна",
  total: "Разом",
  from: "Звідки",
  to: "Куди",
  pickup: "Посадка",
  validUntil: "Дійсна до",
  onRequest: "За запитом",
  name: "Ваше ім’я",
  nameHint: "Ваше ім’я, час і адреса вашого інтернет-з’єднання зберігаються разом зі згодою.",
  accept: "Прийняти пропозицію",
  decline: "Відхилити",
  declineTitle: "Відхилити цю пропозицію?",
  reason: "Причина (необов’язково)",
  accepted: "Ви прийняли цю пропозицію",
  acceptedNext: "Компанія {business} бронює вашу поїздку і надішле вам підтвердження.",
  rejected: "Ви відхилили цю пропозицію",
  rejectedNext: "Якщо це помилка, зателефонуйте в офіс.",
  expired: "Термін дії цієї пропозиції минув",
  expiredNext: "Попросіть офіс про нову.",
  converted: "Вашу поїздку заброньовано",
  convertedNext: "Компанія {business} забронювала те, що ви прийняли. Більше нічого робити не потрібно.",
  call: "Зателефонувати в офіс",
  goneHelp: "Можливо, офіс надіслав вам новішу пропозицію. Відкрийте посилання з останнього повідомлення."
}
export default words
