/**
 * Names of people and businesses. Emails contain them, so a name must not be able to carry a message to a third person:
 * line breaks and URLs are refused. Format characters are kept, because names in Persian, Hebrew or emoji need them.
 */
import { Schema } from "effect"
import { check } from "./FieldIssue.ts"
import { orNull } from "./Optional.ts"
import { text, textOrBlank } from "./Text.ts"

const lineBreak = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** `https://…`, `//host`, `www.…` and `mailto:…`. */
const url = /\/\/|\bwww\.|\b(?:https?|ftp|mailto|tel|sms|javascript|data):/iu

/** A host name with a path, a query or a port, such as `example.co/login`. */
const hostWithPath = /[\p{L}\p{N}]\.[\p{L}]{2,}(?::\d|\/[^\s]|\?[^\s]|#[^\s])/u

/** A host name alone, below a common top-level domain, which mail programs also turn into a link. */
const host =
  /[\p{L}\p{N}]\.(?:com|net|org|info|biz|io|co|ly|gl|gd|app|dev|me|xyz|online|site|shop|store|link|click|top|club|live|page|icu|zip)(?![\p{L}\p{N}])/iu

/**
 * A host name alone, below the top-level domain of a country. `Dr.de Vries` is none: its first part is short. The last four
 * characters of that part suffice: for `{4,}`, the expression would look from each character to the end of the word.
 */
const hostOfCountry = /[\p{L}\p{N}-]{4}\.(?![js]r\b)[a-z]{2}(?![\p{L}\p{N}.])/iu

const emailAddress = /[^\s@]@[^\s@]+\.[^\s@]/u

const linkForms = [url, hostWithPath, host, hostOfCountry, emailAddress]

/** Whether mail programs would show a part of a text as a link. Width does not matter. */
export const hasLink = (value: string): boolean => {
  const shown = value.normalize("NFKC").replaceAll(/[\u00AD\u200B\u2060\uFEFF]/gu, "")
  return linkForms.some((form) => form.test(shown))
}

const isAllowed = (value: string) => !lineBreak.test(value) && !hasLink(value)

/** A required name of at most `maximum` characters, without line breaks and URLs. */
export const name = (maximum: number) => text(maximum).pipe(Schema.check(check<string>("invalid", isAllowed)))

/** A name of at most `maximum` characters, without line breaks and URLs; a blank one decodes to `null`. */
export const nameOrBlank = (maximum: number) =>
  textOrBlank(maximum).pipe(
    Schema.check(check<string | null>("invalid", (value) => value === null || isAllowed(value)))
  )

/** An optional {@link nameOrBlank}; absent, `null` and blank decode to `null`. */
export const optionalName = (maximum: number) => orNull(nameOrBlank(maximum))
