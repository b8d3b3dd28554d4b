/**
 * The words of a text search. A record matches a search if, for each word of the search, one of the record's words
 * begins with it; case and accents do not matter.
 */
import { Schema } from "effect"
import { canonicalEmail } from "../fields/EmailAddress.ts"
import { phoneNumberOf } from "../fields/PhoneNumber.ts"
import { textOrBlank } from "../fields/Text.ts"
import { utf8Length } from "../fields/Utf8.ts"
import { folded, searchedForms, storedForms } from "./Folding.ts"

/** The most words of a search; further ones are ignored. */
const maxSearchWords = 8

/**
 * The most bytes of a word, stored or searched for; the rest is cut off. PostgreSQL indexes no word over 2,046 bytes, and
 * folding turns some letters into eighteen.
 */
const maxWordBytes = 512

/** The first {@link maxWordBytes} bytes of a word, in whole characters. Searched words are cut in the same way. */
const cutWord = (word: string) => {
  if (word.length * 3 <= maxWordBytes) return word
  let [bytes, end] = [0, 0]
  for (const character of word) {
    bytes += utf8Length(character)
    if (bytes > maxWordBytes) return word.slice(0, end)
    end += character.length
  }
  return word
}

/** The runs of letters and digits of a text, folded. */
const runsOf = (text: string): ReadonlyArray<string> =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** A text whose names are in one word each: `O'Brien` becomes `OBrien`, `Jean-Luc` becomes `JeanLuc`. */
const withJoinedNames = (text: string) => text.replaceAll(/(?<=\p{L})['’‘ʼʻ`´\-‐‑](?=\p{L})/gu, "")

/** The words by which a text is found. A name with an apostrophe or a hyphen is found in parts and as one word. */
export const split = (text: string): ReadonlyArray<string> => {
  const joined = withJoinedNames(text)
  const runs = joined === text ? runsOf(text) : [...runsOf(text), ...runsOf(joined)]
  return runs.flatMap(storedForms)
}

/** Whether a text is a phone number as people write them: with a plus, spaces, dots, dashes, slashes and brackets. */
const isPhone = (text: string) => /^[+\d\s().\-/]*\d[+\d\s().\-/]*$/u.test(text)

/** The digits of a text. */
const digitsOf = (text: string) => folded(text).replaceAll(/\D/gu, "")

/** The endings of a phone number that are 3 to 15 digits long. No number has more than 15 digits. */
const endsOf = (digits: string): ReadonlyArray<string> => {
  const last = digits.slice(-15)
  return Array.from({ length: Math.max(last.length - 2, 0) }, (_, start) => last.slice(start))
}

/** The words of an email: those between its punctuation, and the whole email, also in its canonical form. */
export const wordsOfEmail = (email: string | null): ReadonlyArray<string> =>
  email === null ? [] : [...split(email), folded(email), folded(canonicalEmail(email) ?? email)]

/**
 * The words of a phone number: each of its ends. Any run of its digits then begins a word, so that an index finds it.
 */
export const wordsOfPhone = (phone: string | null): ReadonlyArray<string> => endsOf(digitsOf(phone ?? ""))

/** Words as a record stores them: bounded, each once. */
export const storedWords = (words: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(words.map(cutWord))
]

/** The digits without leading zeros: a stored number has its country's code in the place of the zero. */
const dialled = (digits: string) => (digits.length < 6 ? digits : digits.replace(/^0+/u, ""))

/**
 * The number of a search that begins with a calling code, without that code; empty otherwise. A record may have the number as it
 * is written in its country.
 */
const withoutCallingCode = (search: string): string =>
  /^[\s(]*(?:\+|00)/u.test(search) ? (phoneNumberOf(search, null)?.plan?.national ?? "") : ""

const wordsOf = (part: string, isOneWord: boolean): ReadonlyArray<string> => {
  if (/[@＠]/u.test(part)) return [folded(canonicalEmail(part) ?? part)]
  return isOneWord ? [folded(part)] : runsOf(part).flatMap(searchedForms)
}

/** Whether a record with these words matches one of the lists: for each text of it, one of the words begins with it. */
export const isFoundBy = (
  words: ReadonlyArray<string>,
  lists: ReadonlyArray<ReadonlyArray<string>>
): boolean => lists.some((texts) => texts.every((text) => words.some((word) => word.startsWith(text))))

/**
 * The words of a search, in one list for each interpretation: as a phone number, or as words, also with the names that
 * have an apostrophe or a hyphen in one word. A record has to match all words of one list. Empty if the search has no words.
 * A part of the search for which `isOneWord` holds is one word, as an email is; any other part is split. `alternatives` are
 * other texts to search for.
 */
export const searchedWords = (
  search: string,
  isOneWord: (part: string) => boolean = () => false,
  alternatives: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> => {
  const digits = digitsOf(search)
  // A phone number is one word, however it is spaced, and so is an email. A name may contain a number, too.
  const wordsOfText = (text: string) => text.split(/\s+/u).flatMap((part) => wordsOf(part, isOneWord(part)))
  const interpretations = isPhone(search)
    ? [
        [digits],
        [dialled(digits)],
        [withoutCallingCode(search)],
        /\s/u.test(search.trim()) ? [] : runsOf(search)
      ]
    : [search, withJoinedNames(search), ...alternatives].map(wordsOfText)
  const lists = interpretations.map((words) =>
    words
      .filter((word) => word !== "")
      .slice(0, maxSearchWords)
      .map(cutWord)
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
