/** SQL conditions that hold for the rows of a person. */
import type { Person } from "@livery/domain"
import type { SqlClient } from "effect/sql"
import { contains as containsPattern } from "../sql/lists/Search.ts"

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

/**
 * Regular expressions for a text value of a JSON text whose digits are a phone number. The character before the quotation mark
 * distinguishes such a value from a number between two texts. Removing all other characters first would take fifty times as long.
 */
const phoneExpressionsOf = (phones: ReadonlyArray<string>) => {
  const others = '[^0-9"]*'
  return phones.map((phone) => ['[:,[] ?"', ...phone.split(""), '"'].join(others))
}

/** Patterns for `LIKE ANY` of JSON texts in which a field has one of these ids. */
export const fieldPatternsOf = (field: string, ids: ReadonlyArray<number>): ReadonlyArray<string> =>
  ids.flatMap((id) => [`%"${field}":${id},%`, `%"${field}":${id}}%`])

/**
 * Letters of other languages take four times as long to change to lower case, so the rules of a language are only used for
 * them.
 */
const isAscii = (text: string) => /^[ -~]*$/u.test(text)

/** The conditions of a person. The texts of SQL that they compare contain no value of a caller. */
export const conditionsOf = (sql: SqlClient.SqlClient, person: Person) => {
  const { customer_ids, driver_ids, emails, names, phones } = person
  const patterns = patternsOf(emails)
  const addressExpressions = addressExpressionsOf(emails)
  const phoneExpressions = phoneExpressionsOf(phones)
  const collation = emails.every(isAscii) ? ' COLLATE "C"' : ""
  const contains = (text: string) =>
    sql`lower((${sql.literal(text)})${sql.literal(collation)}) LIKE ANY (${patterns}::text[])`
  /** The first condition is cheap and excludes most rows from the second one. */
  const hasAddress = (text: string) =>
    sql`(${contains(text)} AND lower(${sql.literal(text)}) ~ ANY (${addressExpressions}::text[]))`
  const isPhone = (text: string) =>
    sql`regexp_replace(${sql.literal(text)}, '\\D', '', 'g') = ANY (${phones}::text[])`
  /** Whether a value of a JSON text is a phone number, in any spelling. */
  const hasPhone = (text: string) => sql`(${sql.literal(text)}) ~ ANY (${phoneExpressions}::text[])`

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
    hasName: (text: string) => sql`lower(${sql.literal(text)}) LIKE ANY (${patternsOf(names)}::text[])`,
    isDriver: sql`r.driver_id = ANY (${driver_ids}::bigint[])`,
    isTrip: ofCustomer(
      `concat_ws(' ', r.customer_email, r.customer_name, r.pickup_address, r.dropoff_address, r.notes,
        r.special_requirements, r.external_ref, r.group_id, r.flight_number, r.terminal, r.details::text)`,
      "coalesce(r.details::text, '')"
    ),
    isQuote: ofCustomer(
      `concat_ws(' ', r.customer_email, r.customer_name, r.notes, r.accepted_by, r.reject_reason, r.items::text)`,
      "r.items::text"
    ),
    isBooking: ofCustomer(
      `concat_ws(' ', r.customer_email, r.customer_name, r.pickup_address, r.dropoff_address, r.notes)`,
      "''"
    )
  }
}
