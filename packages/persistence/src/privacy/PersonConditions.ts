/** SQL conditions that hold for the rows of a person. */
import {
  bookingFields,
  type Person,
  personalTextsOf,
  phoneNumberOf,
  quoteFields,
  tripFields,
  withAsciiDigits
} from "@livery/domain"
import type { SqlClient } from "effect/sql"
import { contains as containsPattern } from "../sql/lists/Search.ts"
import { isDetail } from "../trips/TripRows.ts"

/** Patterns for `LIKE ANY` of lower-case texts that contain one of these. */
const patternsOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.map((text) => containsPattern(text.toLowerCase()))

/**
 * Letters and digits, with the marks above letters, and the signs that may follow them in the local part of an address. The
 * ranges are those of letters outside of ASCII, because `[:alnum:]` has none of them in a database with the collation `C`.
 */
const [letters, signs] = [String.raw`[:alnum:]\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff`, ".+&'%-"]

/** An escape in a JSON text, which ends in a letter or a digit. */
const jsonEscape = String.raw`\\(?:[bfnrt]|u[0-9a-f]{4})`

/**
 * Regular expressions for lower-case texts, also JSON texts, that have one of these emails as a whole address, as `mentions`
 * of the domain decides.
 */
const addressExpressionsOf = (emails: ReadonlyArray<string>): ReadonlyArray<string> =>
  emails.map((email) => {
    const escaped = email.toLowerCase().replaceAll(/[!-/:-@[-^`{-~]/gu, String.raw`\$&`)
    return `(?:^|[^${letters}_${signs}]|${jsonEscape})[${signs}]*${escaped}(?!(?:-*|\\.)[${letters}])`
  })

/** The last digit of Unicode. */
const lastDigit = 0x1_fbf9

/** The digits of all scripts by their values, as the bracket expressions of regular expressions. */
const makeDigitClasses = (): ReadonlyArray<string> => {
  const classes = Array.from({ length: 10 }, () => "")
  for (let code = 0; code <= lastDigit; code += 1) {
    const character = String.fromCodePoint(code)
    if (/^\p{Nd}$/u.test(character)) classes[Number(withAsciiDigits(character))] += character
  }
  return classes.map((digits) => `[${digits}]`)
}

let digitClasses: ReadonlyArray<string> | undefined

/** Signs and letters between the digits of a number. */
const between = '[^0-9"]*'

const digitsOf = (digits: string) => {
  const classes = (digitClasses ??= makeDigitClasses())
  return Array.from(digits.replaceAll(/\D/gu, ""), (digit) => classes[Number(digit)] ?? "").join(between)
}

/** The digits that start a call within a country, by its calling code; elsewhere a zero. */
const trunkDigits: Readonly<Record<string, ReadonlyArray<string>>> = {
  "1": ["1"],
  "7": ["8"],
  "36": ["06"],
  "52": ["01", "02", "044", "045", "1"],
  "375": ["80", "8", "0"]
}

/** The digits that start a call to another country. */
const exitDigits = ["00", "011", "0011", "010", "810"]

/** The digits that may stand between a calling code and the number; of other countries a zero, in brackets. */
const digitsAfterCode: Readonly<Record<string, ReadonlyArray<string>>> = { "52": ["0", "1"] }

/**
 * The ways to dial a number within its country, without the trunk digits. A mobile number of Argentina has a 9 before its area
 * code when it is called from abroad, and a 15 after it otherwise; area codes have two to four digits.
 */
const nationalSpellings = (callingCode: string, national: string): ReadonlyArray<string> =>
  callingCode === "54" && national.startsWith("9")
    ? [national, ...[3, 4, 5].map((end) => `${national.slice(1, end)}15${national.slice(end)}`)]
    : [national]

/** The text before a number without its calling code. */
const beforeNational = '[^0-9"+\uff0b]*'

/**
 * A regular expression for the spellings of a phone number: with the calling code, in brackets also a zero after it, or
 * as in its country; and with an extension.
 */
const spellingsOf = (canonical: string, country: string | null): string => {
  const { plan } = phoneNumberOf(canonical, country) ?? {}
  const end = '(?:[^0-9"][^"]*)?'
  if (plan === undefined) return `${between}${digitsOf(canonical)}${end}`
  const optional = (anyOf: ReadonlyArray<string>) => `(?:(?:${anyOf.map(digitsOf).join("|")})${between})?`
  const international = `${between}${optional(exitDigits)}${digitsOf(plan.callingCode)}${between}${optional(digitsAfterCode[plan.callingCode] ?? ["0"])}`
  const isInCountry = phoneNumberOf(plan.national, country)?.canonical === canonical
  const national = `|${beforeNational}${optional(trunkDigits[plan.callingCode] ?? ["0"])}`
  const numbers = nationalSpellings(plan.callingCode, plan.national).map(digitsOf)
  return `(?:${international}${isInCountry ? national : ""})(?:${numbers.join("|")})${end}`
}

/** Regular expressions for a text that is one of the person's phone numbers, as `isPhoneOf` of the domain decides. */
export const phoneExpressionsOf = ({ country = null, phones }: Pick<Person, "country" | "phones">) =>
  phones.map((phone) => `^${spellingsOf(phone, country)}$`)

/**
 * Regular expressions for a text value of a JSON text that is a phone number. The character before the quotation mark
 * distinguishes such a value from a number between two texts.
 */
const phoneValueExpressionsOf = ({ country = null, phones }: Person) =>
  phones.map((phone) => `[:,[] ?"${spellingsOf(phone, country)}"`)

/** Patterns for `LIKE ANY` of JSON texts in which a field has one of these ids. */
export const fieldPatternsOf = (field: string, ids: ReadonlyArray<number>): ReadonlyArray<string> =>
  ids.flatMap((id) => [`%"${field}":${id},%`, `%"${field}":${id}}%`])

/**
 * Letters of other languages take four times as long to change to lower case, so the rules of a language are only used for
 * them.
 */
const isAscii = (text: string) => /^[ -~]*$/u.test(text)

/** SQL for the texts of a row called `r` that may mention a person. */
const textsOf = (columns: ReadonlyArray<string>) =>
  `concat_ws(' ', ${columns.map((column) => `r.${column}`).join(", ")})`

const textsOfTrip = textsOf([...personalTextsOf(tripFields).filter((name) => !isDetail(name)), "details"])
const textsOfQuote = textsOf(personalTextsOf(quoteFields))
const textsOfBooking = textsOf(personalTextsOf(bookingFields))

/** SQL for the text of an entry `r` of the audit log: the expression of the index `audit_log_by_text`. */
const auditText =
  "(coalesce(r.before::text, '') || ' ' || coalesce(r.after::text, '') || ' ' || coalesce(r.reason, ''))"

/** The conditions of a person. The texts of SQL that they compare contain no value of a caller. */
export const conditionsOf = (sql: SqlClient.SqlClient, person: Person) => {
  const { customer_ids, driver_ids, emails, names, phones, user_ids } = person
  const patterns = patternsOf(emails)
  const addressExpressions = addressExpressionsOf(emails)
  const phoneExpressions = phoneExpressionsOf(person)
  const phoneValueExpressions = phoneValueExpressionsOf(person)
  const collation = emails.every(isAscii) ? ' COLLATE "C"' : ""
  const contains = (text: string) =>
    sql`lower((${sql.literal(text)})${sql.literal(collation)}) LIKE ANY (${patterns}::text[])`
  /** The first condition is cheap and excludes most rows from the second one. */
  const hasAddress = (text: string) =>
    sql`(${contains(text)} AND lower(${sql.literal(text)}) ~ ANY (${addressExpressions}::text[]))`
  const isPhone = (text: string) => sql`(${sql.literal(text)}) ~ ANY (${phoneExpressions}::text[])`
  /** Whether a value of a JSON text is a phone number, in any spelling. */
  const hasPhone = (text: string) => sql`(${sql.literal(text)}) ~ ANY (${phoneValueExpressions}::text[])`

  /** The rows of a table called `r` with the customer's fields, whose other texts are these. */
  const ofCustomer = (texts: string, json: string) => sql`
    (r.customer_id = ANY (${customer_ids}::bigint[]) OR ${hasAddress(texts)}
      OR (${phones.length > 0} AND (${isPhone("coalesce(r.customer_phone, '')")} OR ${hasPhone(json)})))`

  return {
    /** Whether copies are found by a text at all. */
    hasTexts: emails.length + phones.length > 0,
    /** Whether a text contains an email. In a copy, the domain then looks for a whole address. */
    contains,
    hasPhone,
    /** Whether an entry of the audit log may be about the person. Each part of the condition is found by an index. */
    isAudited: sql.or([
      ...[...emails, ...names].map((text) => sql`${sql.literal(auditText)} ILIKE ${containsPattern(text)}`),
      sql`r.subject = ANY (${user_ids.map((id) => `user:${id}`)}::text[])`
    ]),
    /** Whether a stored response may be one of the person's business. One that was stored by an earlier version names none. */
    mayBeStored:
      person.business_id === null
        ? sql`true`
        : sql`(r.owning_business_id = ${person.business_id} OR r.owning_business_id IS NULL)`,
    isDriver: sql`r.driver_id = ANY (${driver_ids}::bigint[])`,
    isTrip: ofCustomer(textsOfTrip, "coalesce(r.details::text, '')"),
    isTemplate: ofCustomer("concat_ws(' ', r.name, r.trip::text)", "r.trip::text"),
    isQuote: ofCustomer(textsOfQuote, "r.items::text"),
    isBooking: ofCustomer(textsOfBooking, "''")
  }
}
