/** The words for a locale. */
import { dutch, dutchStatement } from "./Dutch.ts"
import { english, englishStatement } from "./English.ts"
import { french, frenchStatement } from "./French.ts"
import { german, germanStatement } from "./German.ts"
import { greek, greekStatement } from "./Greek.ts"
import type { InvoiceWords } from "./InvoiceWords.ts"
import { italian, italianStatement } from "./Italian.ts"
import { polish, polishStatement } from "./Polish.ts"
import { portuguese, portugueseStatement } from "./Portuguese.ts"
import type { StatementWords } from "./StatementWords.ts"
import { spanish, spanishStatement } from "./Spanish.ts"
import { ukrainian, ukrainianStatement } from "./Ukrainian.ts"

/** The words of invoices and of statements. */
interface Words {
  readonly words: InvoiceWords
  readonly statement: StatementWords
}

const englishWords: Words = { words: english, statement: englishStatement }

const languages: Readonly<Record<string, Words>> = {
  de: { words: german, statement: germanStatement },
  el: { words: greek, statement: greekStatement },
  en: englishWords,
  es: { words: spanish, statement: spanishStatement },
  fr: { words: french, statement: frenchStatement },
  it: { words: italian, statement: italianStatement },
  nl: { words: dutch, statement: dutchStatement },
  pl: { words: polish, statement: polishStatement },
  pt: { words: portuguese, statement: portugueseStatement },
  uk: { words: ukrainian, statement: ukrainianStatement }
}

/** The words in the locale's language, and that language; English for a language without words. */
export const wordsOf = (locale: string): Words & { readonly language: string } => {
  const [language = "en"] = locale.toLowerCase().split("-")
  const words = languages[language]
  return words === undefined ? { language: "en", ...englishWords } : { language, ...words }
}
