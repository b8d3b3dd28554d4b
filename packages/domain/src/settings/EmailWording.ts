/** The wording of a business's emails to its customers (docs/api/sales.md). */
import { Schema } from "effect"
import { recordOrNull } from "../fares/rules/TariffFields.ts"
import { text } from "../kernel/fields/Text.ts"
import { filled, htmlOf, knownPlaceholders, oneLine } from "../mail/Template.ts"
import { letterWordsOf } from "../mail/words/LetterWordsOf.ts"

/** The emails to customers. */
export const CustomerEmailKind = Schema.Literals([
  "quote_sent",
  "quote_accepted",
  "booking_confirmed",
  "booking_cancelled"
])
export type CustomerEmailKind = typeof CustomerEmailKind.Type

/** The placeholders of a wording, written as `{{name}}`. `link` is that of a quote, and empty in other emails. */
export const placeholders = [
  "business_name",
  "customer_name",
  "reference",
  "description",
  "starts_at",
  "total",
  "link"
] as const
/** One of {@link placeholders}, without the braces. */
export type Placeholder = (typeof placeholders)[number]

const onlyKnown = knownPlaceholders(placeholders)

const Wording = Schema.Struct({
  subject: text(200).check(onlyKnown),
  text: text(5000).check(onlyKnown)
})
/** The subject and the plain text of an email, with placeholders: at most 200 and 5,000 characters. */
export type Wording = typeof Wording.Type

const emailWordingStruct = Schema.Struct({
  quote_sent: recordOrNull(Wording),
  quote_accepted: recordOrNull(Wording),
  booking_confirmed: recordOrNull(Wording),
  booking_cancelled: recordOrNull(Wording)
})
type EmailWordingStruct = typeof emailWordingStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface EmailWordingSchema extends EmailWordingStruct {}

/** The business's own wordings; null for the default one. */
export const EmailWording: EmailWordingSchema = emailWordingStruct
export type EmailWording = typeof EmailWording.Type

/** The wording of a business that has none of its own. */
export const defaultEmailWording: EmailWording = {
  quote_sent: null,
  quote_accepted: null,
  booking_confirmed: null,
  booking_cancelled: null
}

/**
 * An email in the business's wording, or in the default one in the language of `locale`, as plain text and as HTML. The link is
 * never missing.
 */
export const emailText = (
  kind: CustomerEmailKind,
  wording: EmailWording,
  values: Readonly<Record<Placeholder, string>>,
  locale: string | null = null
): { readonly subject: string; readonly text: string; readonly html: string } => {
  const { subject, text: written } = wording[kind] ?? letterWordsOf(locale)[kind]
  const body = filled(written, values)
  const text = values.link === "" || body.includes(values.link) ? body : `${body}\n\n${values.link}`
  return {
    subject: oneLine(filled(subject, values)),
    text: `${text}\n`,
    html: htmlOf(text)
  }
}
