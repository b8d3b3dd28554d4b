/**
 * The words of a text search. A record matches a search if, for each word of the search, one of the record's words
 * begins with it; case and accents do not matter.
 */
import { Schema } from "effect"
import { canonicalEmail } from "../fields/EmailAddress.ts"
import { textOrBlank } from "../fields/Text.ts"

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
export const folded = (text: string) =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ")

/** The words of a text: its runs of letters and digits, folded. */
export const split = (text: string): ReadonlyArray<string> =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** A number as people write them: with a plus, spaces, dots, dashes, slashes and brackets. */
const isPhone = (text: string) => /^[+\d\s().\-/]*\d[+\d\s().\-/]*$/u.test(text)

/** The digits of a text. */
export const digitsOf = (text: string) => folded(text).replaceAll(/\D/gu, "")

/** The endings of a phone number, from 3 to 15 digits long. No number is longer than 15 digits. */
export const endsOf = (digits: string): ReadonlyArray<string> => {
  const last = digits.slice(-15)
  return Array.from({ length: Math.max(last.length - 2, 0) }, (_, start) => last.slice(start))
}

/** The words of an email: those between its signs, and the whole email, also in its canonical form. */
export const wordsOfEmail = (email: string | null): ReadonlyArray<string> =>
  email === null ? [] : [...split(email), folded(email), folded(canonicalEmail(email) ?? email)]

/**
 * The words of a phone number: each of its ends. Any run of its digits then begins a word, so that an index finds it.
 */
export const wordsOfPhone = (phone: string | null): ReadonlyArray<string> => endsOf(digitsOf(phone ?? ""))

/** Words as a record stores them: bounded, each once. */
export const storedWords = (words: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(words.map(bounded))
]

/** The digits without leading zeros: a stored number has its country's code in the place of the zero. */
const dialled = (digits: string) => (digits.length < 6 ? digits : digits.replace(/^0+/u, ""))

const wordsOf = (part: string, isOneWord: boolean): ReadonlyArray<string> => {
  if (/[@＠]/u.test(part)) return [folded(canonicalEmail(part) ?? part)]
  return isOneWord ? [folded(part)] : split(part)
}

/** Whether, for each text of one of the lists, one of a record's words begins with it. */
export const isFoundBy = (
  words: ReadonlyArray<string>,
  lists: ReadonlyArray<ReadonlyArray<string>>
): boolean => lists.some((texts) => texts.every((text) => words.some((word) => word.startsWith(text))))

/**
 * The words of a search, in one list for each interpretation: as a phone number, or as words. A record has to match all
 * words of one list. Empty if the search has no words. A part of the search for which `isOneWord` holds is one word, as an
 * email is; any other part is split.
 */
export const searchedWords = (
  search: string,
  isOneWord: (part: string) => boolean = () => false
): ReadonlyArray<ReadonlyArray<string>> => {
  const digits = digitsOf(search)
  // A phone number is one word, however it is spaced, and so is an email. A name may contain a number, too.
  const readings = isPhone(search)
    ? [[digits], [dialled(digits)], /\s/u.test(search.trim()) ? [] : split(search)]
    : [search.split(/\s+/u).flatMap((part) => wordsOf(part, isOneWord(part)))]
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
 * `search` as a query parameter; a blank one matches every record. The text `null` is a word like any other, since
 * query parameters have no null.
 */
export const Search = Schema.optionalKey(textOrBlank(200))
