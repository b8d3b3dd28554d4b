/**
 * The words of a text search. A record matches a search if, for each word of the search, one of the record's words
 * begins with it; case and accents do not matter.
 */
import { Schema } from "effect"
import { canonicalEmail } from "../fields/EmailAddress.ts"
import { phoneNumberOf, withAsciiDigits, withoutExtension } from "../fields/PhoneNumber.ts"
import { textOrBlank } from "../fields/Text.ts"
import { utf8Length } from "../fields/Utf8.ts"
import { folded, searchedForms, storedForms, withJoinedNames } from "./Folding.ts"

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

/** The words by which a text is found. A name with an apostrophe, a hyphen or a particle is found in parts and as one word. */
export const split = (text: string): ReadonlyArray<string> => {
  const joined = withJoinedNames(text)
  const runs = joined === text ? runsOf(text) : [...runsOf(text), ...runsOf(joined)]
  return runs.flatMap(storedForms)
}

/**
 * The number in a text that is a phone number as people write them: with a plus, spaces, dots, dashes, slashes and brackets, in the
 * digits of any script, after `tel:` and before an extension. Undefined if the text is anything else.
 */
const phoneIn = (search: string): string | undefined => {
  const text = withAsciiDigits(search)
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\p{Pd}/gu, "-")
  return /^\s*(?:tel[.:]*\s*)?([+\d\s().\-/]*\d[+\d\s().\-/]*)$/iu.exec(withoutExtension(text))?.[1]
}

/** The digits of a text. */
const digitsOf = (text: string) => withAsciiDigits(text).replaceAll(/\D/gu, "")

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

/** The least digits of a number that is read as one of a country. */
const minDialled = 5

/**
 * A number without its calling code and the digits that are dialled before it; empty if that is unknown. A record may have the number
 * as it is written in its country. A number without a calling code belongs to `country`.
 */
const nationalNumber = (number: string, country: string | null): string =>
  /^[\s(]*(?:\+|00)/u.test(number) || (country !== null && digitsOf(number).length >= minDialled)
    ? (phoneNumberOf(number, country)?.plan?.national ?? "")
    : ""

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
 * have an apostrophe, a hyphen or a particle in one word. A record has to match all words of one list. Empty if the search has no
 * words. A part of the search for which `isOneWord` holds is one word, as an email is; any other part is split. `alternatives` are
 * other texts to search for. A phone number without a calling code may belong to `country`.
 */
export const searchedWords = (
  search: string,
  {
    alternatives = [],
    country = null,
    isOneWord = () => false
  }: {
    readonly alternatives?: ReadonlyArray<string>
    readonly country?: string | null
    readonly isOneWord?: (part: string) => boolean
  } = {}
): ReadonlyArray<ReadonlyArray<string>> => {
  const number = phoneIn(search)
  // A phone number is one word, however it is spaced, and so is an email. A name may contain a number, too.
  const wordsOfText = (text: string) => text.split(/\s+/u).flatMap((part) => wordsOf(part, isOneWord(part)))
  const interpretations =
    number === undefined
      ? [search, withJoinedNames(search), ...alternatives].map(wordsOfText)
      : [
          [digitsOf(number)],
          [dialled(digitsOf(number))],
          [nationalNumber(number, country)],
          /\s/u.test(search.trim()) ? [] : runsOf(search)
        ]
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
