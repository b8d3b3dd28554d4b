/**
 * What a customer is found by: the beginnings of words. A search finds who has, for each of its words, a word that
 * begins so; case and accents do not matter. Words are what a name and an email consist of, the whole email, and
 * every end of a phone number, so that a run of its digits begins one: so an index answers, however many customers
 * there are.
 */
import { Schema } from "effect"
import { canonicalEmail } from "../kernel/fields/EmailAddress.ts"
import { textOrBlank } from "../kernel/fields/Text.ts"

/** So many words of a search count; what comes after them is ignored. */
const wordsOfSearch = 8

/**
 * So many bytes of a word count, kept or asked for: indexes take no longer words (PostgreSQL 2,046 bytes, and some
 * letters become eighteen when they are folded), and nobody types as much.
 */
const wordBytes = 512

const bytesOf = (character: string) => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** Its beginning, in whole characters: what begins a word begins so much of it as well. */
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

/** A text without the case and the accents that people leave out; a sigma is one, also at the end of a word. */
const folded = (text: string) =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ")

const split = (text: string): ReadonlyArray<string> =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** A number as people write them: with a plus, spaces, dots, dashes, slashes and brackets. */
const isPhone = (text: string) => /^[+\d\s().\-/]*\d[+\d\s().\-/]*$/u.test(text)

const digitsOf = (text: string) => folded(text).replaceAll(/\D/gu, "")

/** Every end of a number, down to three digits, of its last fifteen: as many as the longest number has. */
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

/** A number is kept with its country's code, and asked for with the zero that stands for it. */
const dialled = (digits: string) => (digits.length < 6 ? digits : digits.replace(/^0+/u, ""))

/**
 * The beginnings that a search asks for: who has all of one of these lists is found. None if it holds nothing to look
 * for, and several where it can be read in several ways.
 */
export const searchedWords = (search: string): ReadonlyArray<ReadonlyArray<string>> => {
  const digits = digitsOf(search)
  // A number is one word, however it is spaced, unless the name holds it; an email too, since its parts alone say less.
  const readings = isPhone(search)
    ? [[digits], [dialled(digits)], /\s/u.test(search.trim()) ? [] : split(search)]
    : [
        search
          .split(/\s+/u)
          .flatMap((part) => (/[@＠]/u.test(part) ? [folded(canonicalEmail(part) ?? part)] : split(part)))
      ]
  const asked = readings.map((words) =>
    words
      .filter((word) => word !== "")
      .slice(0, wordsOfSearch)
      .map(bounded)
  )
  return asked.filter(
    (words, index) =>
      words.length > 0 && !asked.slice(0, index).some((before) => before.join(" ") === words.join(" "))
  )
}

/** `search` as a query parameter; a blank one finds everybody. `null` is a word like any other. */
export const Search = Schema.optionalKey(textOrBlank(200))

/** The filters of the list of customers. */
export const CustomerFilter = Schema.Struct({ search: Search })
export type CustomerFilter = typeof CustomerFilter.Type
