/**
 * What a customer is found by: the beginnings of words. A search finds who has, for each of its words, a word that
 * begins so; case and accents do not matter. Words are what a name and an email consist of, the whole email, and
 * every end of a phone number, so that any run of its digits begins one: so an index answers, however many customers
 * there are.
 */
import { Schema } from "effect"
import { optionalText } from "../kernel/Text.ts"

/** So many words of a search count; what comes after them is ignored. */
const wordsOfSearch = 8

/** A text without the case and the accents that people leave out. */
const folded = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

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
  const whole = email === null ? [] : [folded(email)]
  return [...new Set([...split(name), ...split(email ?? ""), ...whole, ...endsOf(digitsOf(phone ?? ""))])]
}

/** A number is kept with its country's code, and asked for with the zero that stands for it. */
const dialled = (digits: string) => (digits.length < 6 ? digits : digits.replace(/^0+/u, ""))

/** The beginnings that a search asks for; none if it holds nothing to look for. */
export const searchedWords = (search: string): ReadonlyArray<string> => {
  // A number is one word, however it is spaced; an email too, since its parts alone say less.
  const words = isPhone(search)
    ? [dialled(digitsOf(search))]
    : search.split(/\s+/u).flatMap((part) => (part.includes("@") ? [folded(part)] : split(part)))
  return words.filter((word) => word !== "").slice(0, wordsOfSearch)
}

/** `search` as a query parameter; a blank one finds everybody. */
export const Search = optionalText(200)

/** The filters of `GET /customers`. */
export const CustomerFilter = Schema.Struct({ search: Search })
export type CustomerFilter = typeof CustomerFilter.Type
