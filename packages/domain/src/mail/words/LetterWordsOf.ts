/** The words of letters for a locale. */
import { Schema } from "effect"
import { dutch } from "./Dutch.ts"
import { english } from "./English.ts"
import { french } from "./French.ts"
import { german } from "./German.ts"
import { greek } from "./Greek.ts"
import { italian } from "./Italian.ts"
import type { LetterWords } from "./LetterWords.ts"
import { polish } from "./Polish.ts"
import { portuguese } from "./Portuguese.ts"
import { spanish } from "./Spanish.ts"
import { ukrainian } from "./Ukrainian.ts"

/** The languages in which letters are written. */
export const LetterLanguage = Schema.Literals(["de", "el", "en", "es", "fr", "it", "nl", "pl", "pt", "uk"])
export type LetterLanguage = typeof LetterLanguage.Type

const isLetterLanguage = Schema.is(LetterLanguage)

/** The words of each language that an invoice is drawn in, by its code. */
export const letterLanguages: Readonly<Record<LetterLanguage, LetterWords>> = {
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  uk: ukrainian
}

/** The language of the letters for a locale: English for a language without words, and without a locale. */
export const languageOf = (locale: string | null): LetterLanguage => {
  const language = (locale ?? "en").toLowerCase().split("-")[0]
  return isLetterLanguage(language) ? language : "en"
}

/** The words of a locale's language; English for a language without words, and without a locale. */
export const letterWordsOf = (locale: string | null): LetterWords => letterLanguages[languageOf(locale)]

/** A sentence with values in place of its placeholders. */
export const sentence = (words: string, values: Readonly<Record<string, string>>): string =>
  words.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => values[name] ?? "")
