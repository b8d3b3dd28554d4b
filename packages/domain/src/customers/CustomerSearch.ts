/**
 * The search for customers. A customer matches if, for each word of the search, one of the customer's words begins with
 * it; case and accents do not matter. A customer's words are those of the name and of the email, the whole email, and
 * every end of the phone number: any run of its digits then begins a word, so that an index finds it.
 */
import { Schema } from "effect"
import { canonicalEmail } from "../kernel/fields/EmailAddress.ts"
import { textOrBlank } from "../kernel/fields/Text.ts"

/** The most words of a search; further ones are ignored. */
const wordsOfSearch = 8

/**
 * The most bytes of a word, stored or searched for; the rest is cut off. PostgreSQL indexes no word over 2,046 bytes, and
 * folding turns some letters into eighteen.
 */
const wordBytes = 512

const bytesOf = (character: string) => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** The first {@link wordBytes} of a word, in whole characters. The beginning of a word is also one of its cut form. */
const bounded = (word: string) => {
  if (word.length * 3 <= wordBytes) return word
  let [bytes, end] = [0, 0]
  for (const character of word) {
    bytes += bytesOf(character)
    if (bytes > wordBytes) return word.slice(0, end)
    end += character.length
  }
  return word
}

/** A text in lower case and without accents. A final sigma becomes the ordinary one. */
const folded = (text: string) =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ")

const split = (text: string): ReadonlyArray<string> =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** A number as people write them: with a plus, spaces, dots, dashes, slashes and brackets. */
const isPhone = (text: string) => /^[+\d\s().\-/]*\d[+\d\s().\-/]*$/u.test(text)

const digitsOf = (text: string) => folded(text).replaceAll(/\D/gu, "")

/** Every end of a phone number of at least three digits, within its last fifteen: the longest number has as many. */
const endsOf = (digits: string): ReadonlyArray<string> => {
  const last = digits.slice(-15)
  return Array.from({ length: Math.max(last.length - 2, 0) }, (_, start) => last.slice(start))
}

/** The words that a customer is found by, each once. */
export const searchWordsOf = (customer: {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}): ReadonlyArray<string> => {
  const { email, name, phone } = customer
  const whole = email === null ? [] : [folded(email), folded(canonicalEmail(email) ?? email)]
  const words = [...split(name), ...split(email ?? ""), ...whole, ...endsOf(digitsOf(phone ?? ""))]
  return [...new Set(words.map(bounded))]
}

/** The digits without leading zeros: a stored number has its country's code in the place of the zero. */
const dialled = (digits: string) => (digits.length < 6 ? digits : digits.replace(/^0+/u, ""))

/**
 * The words of a search, in one list for each way to read it: as a phone number, or as words. A customer has to match all
 * words of one list. Empty if the search has no words.
 */
export const searchedWords = (search: string): ReadonlyArray<ReadonlyArray<string>> => {
  const digits = digitsOf(search)
  // A phone number is one word, however it is spaced, and so is an email. A name may contain a number, too.
  const readings = isPhone(search)
    ? [[digits], [dialled(digits)], /\s/u.test(search.trim()) ? [] : split(search)]
    : [
        search
          .split(/\s+/u)
          .flatMap((part) => (/[@＠]/u.test(part) ? [folded(canonicalEmail(part) ?? part)] : split(part)))
      ]
  const lists = readings.map((words) =>
    words
      .filter((word) => word !== "")
      .slice(0, wordsOfSearch)
      .map(bounded)
  )
  return lists.filter(
    (words, index) =>
      words.length > 0 && !lists.slice(0, index).some((before) => before.join(" ") === words.join(" "))
  )
}

/**
 * `search` as a query parameter; a blank one matches every customer. The text `null` is a word like any other, since
 * query parameters have no null.
 */
export const Search = Schema.optionalKey(textOrBlank(200))

/** The filters of the list of customers. */
export const CustomerFilter = Schema.Struct({ search: Search })
export type CustomerFilter = typeof CustomerFilter.Type
