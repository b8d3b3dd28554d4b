/** The levels of reminders that a business sets (docs/api/invoices.md). */
import { Option, Schema } from "effect"
import { between, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { text } from "../../kernel/fields/Text.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { MajorAmount } from "../../kernel/money/Money.ts"
import { knownPlaceholders } from "../../mail/Template.ts"

/** The most levels. */
const mostLevels = 5

/** The placeholders of a wording. `total` is what is due on the invoice and on the fees of its reminders. */
export const reminderPlaceholders = [
  "business_name",
  "customer_name",
  "number",
  "level",
  "amount",
  "due_date",
  "days_overdue",
  "fee",
  "fee_number",
  "total",
  "link",
  "fee_link"
] as const
/** One of {@link reminderPlaceholders}. */
export type ReminderPlaceholder = (typeof reminderPlaceholders)[number]

const onlyKnown = knownPlaceholders(reminderPlaceholders)

/** The subject and the text of a reminder, with placeholders. */
export const ReminderWording = Schema.Struct({
  subject: text(200).check(onlyKnown),
  text: text(5000).check(onlyKnown)
})
export type ReminderWording = typeof ReminderWording.Type

const wording = Schema.optionalKey(ReminderWording)

/** A wording for each language in which letters are written. A language without a wording has Livery's words. */
const ReminderWordings = Schema.Struct({
  de: wording,
  el: wording,
  en: wording,
  es: wording,
  fr: wording,
  it: wording,
  nl: wording,
  pl: wording,
  pt: wording,
  uk: wording
})

const DunningLevel = Schema.Struct({
  days: Schema.Int.check(between(0, 365)),
  fee: Schema.optionalKey(MajorAmount),
  wordings: Schema.optionalKey(ReminderWordings)
})
export type DunningLevel = typeof DunningLevel.Type

const dunningStruct = Schema.Struct({
  automatic: Schema.optionalKey(Schema.Boolean),
  levels: listOf(DunningLevel, { most: mostLevels })
})
type DunningStruct = typeof dunningStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface DunningSchema extends DunningStruct {}

/**
 * The levels of a business, in the order of their days. `days` counts from the due date, and `fee` is in the business's currency.
 * With `automatic`, the sweeper sends reminders.
 */
export const Dunning: DunningSchema = dunningStruct
export type Dunning = typeof Dunning.Type

/** The levels of a new business. */
export const noDunning: Dunning = { automatic: false, levels: [] }

/** Issues of levels whose days are not more than those of the level before, and of fees that are no amount in the currency. */
export const dunningIssues = ({ levels }: Dunning, currency: Currency): ReadonlyArray<FieldIssue> =>
  levels.flatMap(({ days, fee = 0 }, index): ReadonlyArray<FieldIssue> => {
    const before = levels[index - 1]?.days ?? -1
    return [
      ...(days > before
        ? []
        : [
            {
              field: `dunning.levels.${index}.days`,
              issue: "out_of_range" as const,
              accepted: `more than ${before}`
            }
          ]),
      ...(fee === 0 || Option.isSome(Money.fromMajor(fee, currency))
        ? []
        : [{ field: `dunning.levels.${index}.fee`, ...Money.issueOfRefused(fee, currency) }])
    ]
  })

/** The fee of a level in minor units; 0 without one, and if the business's currency has no such amount. */
export const feeMinorOf = ({ fee = 0 }: DunningLevel, currency: Currency): number =>
  fee === 0
    ? 0
    : Option.match(Money.fromMajor(fee, currency), { onNone: () => 0, onSome: ({ minor }) => minor })
