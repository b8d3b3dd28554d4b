/** Whether a text mentions a person: by a whole email, by a phone number, or by a whole name. */
import { isPhoneOf, type Person } from "./Person.ts"

/**
 * Whether a part occurs in a text at a place where `isWhole` holds for the text before it and the text after it. Both are in
 * lower case.
 */
const occurs = (text: string, part: string, isWhole: (before: string, after: string) => boolean): boolean => {
  if (part === "") return false
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const end = at + part.length
    // A local part has 64 characters at most, and so has a label of a domain.
    if (isWhole(text.slice(Math.max(0, at - 64), at), text.slice(end, end + 64))) return true
  }
  return false
}

/** A text whose last characters begin the local part of an address. Signs belong to it only after a letter or a digit. */
const localPartBegun = /[\p{L}\p{M}\p{N}_][.+&'%-]*$/u

/** A text whose first characters continue the domain of an address. */
const domainContinued = /^(?:-*|\.)[\p{L}\p{M}\p{N}]/u

const isWholeEmail = (before: string, after: string) =>
  !localPartBegun.test(before) && !domainContinued.test(after)

const isWholeName = (before: string, after: string) =>
  !/[\p{L}\p{M}\p{N}]$/u.test(before) && !/^[\p{L}\p{M}\p{N}]/u.test(after)

/**
 * Whether a text has one of the person's emails or is one of the phone numbers. An email that is a part of another, such as
 * `ann@example.com` of `joann@example.com` or of `ann@example.com.au`, is no mention.
 */
export const mentions = (text: string, person: Pick<Person, "emails" | "phones" | "country">): boolean => {
  const lower = text.toLowerCase()
  return person.emails.some((email) => occurs(lower, email, isWholeEmail)) || isPhoneOf(text, person)
}

/** Whether a text has one of the names as whole words. */
export const mentionsName = (text: string, names: Person["names"]): boolean => {
  const lower = text.toLowerCase()
  return names.some((name) => occurs(lower, name.toLowerCase(), isWholeName))
}
