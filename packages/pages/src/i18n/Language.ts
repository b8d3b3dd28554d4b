/** The language and the formats of this page. They are known before the first screen is drawn, and do not change. */
import { type Format, formatOf } from "./Format.ts"
import { chosenLanguage, directionOf, type Language, languages } from "./Languages.ts"

/** The name of the mark that says which language the person chose in the office. */
const languageMark = "livery.language"

const kept = localStorage.getItem(languageMark)

// A page that has not all languages names its own.
const named = document.documentElement.dataset["languages"]?.split(" ")

/** The languages of this page. */
export const offered: ReadonlyArray<Language> = (Object.keys(languages) as ReadonlyArray<Language>).filter(
  (code) => named?.includes(code) ?? true
)

const chosen = chosenLanguage(
  location.search,
  kept === null ? navigator.languages : [kept, ...navigator.languages],
  offered
)

export const { language, locale } = chosen

/** Shows the page, and the next pages of this browser, in another language. */
export const changeLanguage = (code: Language): void => {
  localStorage.setItem(languageMark, code)
  const next = new URL(location.href)
  next.searchParams.delete("lang")
  location.replace(next)
}

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
