/** The letter of a reminder: in the wording of its level, or in Livery's words of the language. */
import * as Money from "../../kernel/money/Money.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import { filled, oneLine } from "../../mail/Template.ts"
import { languageOf, letterWordsOf } from "../../mail/words/LetterWordsOf.ts"
import type { DunningLevel, ReminderPlaceholder, ReminderWording } from "./Dunning.ts"

/** What a letter says. `fee` is null if the reminder charges none. Links are null without a payment page. */
export interface ReminderFacts {
  readonly business_name: string
  readonly customer_name: string
  readonly number: string
  readonly level: number
  readonly currency: Currency
  readonly due_minor: number
  readonly due_date: string
  readonly days_overdue: number
  readonly link: string | null
  readonly fee: { readonly number: string; readonly minor: number; readonly link: string | null } | null
  /** What is due on the invoice and on all fees of its reminders. */
  readonly total_minor: number
}

const valuesOf = (facts: ReminderFacts): Readonly<Record<ReminderPlaceholder, string>> => {
  const money = (minor: number) => `${Money.format({ minor, currency: facts.currency })} ${facts.currency}`
  return {
    business_name: facts.business_name,
    customer_name: facts.customer_name,
    number: facts.number,
    level: String(facts.level),
    amount: money(facts.due_minor),
    due_date: facts.due_date,
    days_overdue: String(facts.days_overdue),
    fee: facts.fee === null ? "" : money(facts.fee.minor),
    fee_number: facts.fee?.number ?? "",
    total: money(facts.total_minor),
    link: facts.link ?? "",
    fee_link: facts.fee?.link ?? ""
  }
}

/** Livery's words. They name the total only if fees are due beside the invoice. */
const usualWording = (
  locale: string | null,
  { due_minor, fee, link, total_minor }: ReminderFacts
): ReminderWording => {
  const words = letterWordsOf(locale)
  const dueSince = words.dueSince.replace("{{date}}", "{{due_date}}")
  return {
    subject: words.reminder,
    text: [
      dueSince,
      ...(fee === null ? [] : [words.feeCharged]),
      ...(total_minor === due_minor ? [] : [words.totalDue]),
      ...(link === null ? [] : ["", words.payOnline]),
      ...(fee === null || fee.link === null ? [] : ["{{fee_number}}: {{fee_link}}"]),
      "",
      words.alreadyPaid,
      "",
      "{{business_name}}",
      ""
    ].join("\n")
  }
}

/** The subject and the text of a reminder in the language of a locale. */
export const reminderText = (
  { wordings = {} }: Pick<DunningLevel, "wordings">,
  facts: ReminderFacts,
  locale: string | null
): ReminderWording => {
  const { subject, text } = wordings[languageOf(locale)] ?? usualWording(locale, facts)
  const values = valuesOf(facts)
  return { subject: oneLine(filled(subject, values)), text: filled(text, values) }
}
