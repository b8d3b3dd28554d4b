/** The language and the formats of this page. They are known before the first screen is drawn, and do not change. */
import { type Format, formatOf } from "./Format.ts"
import { chosenLanguage, directionOf } from "./Languages.ts"

const chosen = chosenLanguage(location.search, navigator.languages)

export const { language, locale } = chosen

/** The formats of the reader's locale. */
export const format: Format = formatOf(chosen.locale)

/** The words of a screen, one module for each language: `import.meta.glob("./words/*.ts", { import: "default" })`. */
export type WordModules<W> = Readonly<Record<string, () => Promise<W>>>

/** Loads the words of the page's language. */
export const wordsOf = async <W>(modules: WordModules<W>): Promise<W> => {
  const load = modules[`./words/${language}.ts`] ?? modules["./words/en.ts"]
  if (load === undefined) throw new Error("A screen has no words in English")
  return load()
}

/** Tells the browser and its reader programs the language and the direction. */
export const applyLanguage = (): void => {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}
