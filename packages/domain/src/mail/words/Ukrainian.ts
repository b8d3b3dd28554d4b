import type { LetterWords } from "./LetterWords.ts"

export const ukrainian: LetterWords = {
  invoice: "Рахунок {{number}} від {{business_name}}",
  attached: "Рахунок {{number}} на суму {{amount}} додано до листа.",
  due: "До сплати: {{amount}}.",
  dueOn: "До сплати: {{amount}}, термін: {{date}}.",
  nothingDue: "Сплачувати нічого не потрібно.",
  payOnline: "Сплатити онлайн: {{link}}",
  reminder: "Нагадування: рахунок {{number}} від {{business_name}}",
  dueSince: "За рахунком {{number}} до сплати {{amount}}; термін минув {{date}}.",
  alreadyPaid: "Якщо ви вже сплатили, не зважайте на цей лист.",
  statement: "Виписка з рахунку від {{business_name}}",
  statementAttached:
    "Виписку з вашого рахунку за період з {{from}} до {{to}} додано до листа. Сальдо: {{amount}}.",
  quote_sent: {
    subject: "Пропозиція {{reference}} від {{business_name}}",
    text: "Вітаємо, {{customer_name}}!\n\nОсь наша пропозиція на суму {{total}}:\n{{link}}\n\n{{business_name}}"
  },
  quote_accepted: {
    subject: "Пропозицію {{reference}} прийнято",
    text: "Вітаємо, {{customer_name}}!\n\nМи зареєстрували прийняття пропозиції {{reference}} на суму {{total}}.\n\n{{business_name}}"
  },
  booking_confirmed: {
    subject: "Бронювання {{reference}} підтверджено",
    text: "Вітаємо, {{customer_name}}!\n\nВаше бронювання {{reference}} підтверджено:\n{{description}}\n{{starts_at}}\n{{total}}\n\nДоданий файл внесе його до вашого календаря.\n\n{{business_name}}"
  },
  booking_cancelled: {
    subject: "Бронювання {{reference}} скасовано",
    text: "Вітаємо, {{customer_name}}!\n\nВаше бронювання {{reference}}, {{description}}, {{starts_at}}, скасовано.\n\n{{business_name}}"
  }
}
