/** The words for a locale. */
import { dutch } from "./Dutch.ts"
import { english } from "./English.ts"
import { french } from "./French.ts"
import { german } from "./German.ts"
import { greek } from "./Greek.ts"
import type { InvoiceWords } from "./InvoiceWords.ts"
import { italian } from "./Italian.ts"
import { polish } from "./Polish.ts"
import { portuguese } from "./Portuguese.ts"
import { spanish } from "./Spanish.ts"
import { ukrainian } from "./Ukrainian.ts"

const languages: Readonly<Record<string, InvoiceWords>> = {
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

/** The words in the locale's language, and that language; English for a language without words. */
export const wordsOf = (locale: string): { readonly language: string; readonly words: InvoiceWords } => {
  const [language = "en"] = locale.toLowerCase().split("-")
  const words = languages[language]
  return words === undefined ? { language: "en", words: english } : { language, words }
}
