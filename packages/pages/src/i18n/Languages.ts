/** The language of a page: asked for in its address (`?lang=de`), or the reader's first one that the page has. */

/** The languages by their codes, with the names that their speakers use. */
export const languages = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
  el: "Ελληνικά",
  uk: "Українська",
  ar: "العربية"
} as const

/** The code of a language that the pages have. */
export type Language = keyof typeof languages

const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

/** The language without its region: `de` of `de-CH`. */
const baseOf = (tag: string) => tag.toLowerCase().split("-")[0] ?? ""

/** Whether `Intl` knows the form of a tag: some browsers name `en-US@posix`. */
const isTag = (tag: string) => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The language to show, and the reader's own form of it for numbers and dates: `de-CH`. */
export const chosenLanguage = (
  search: string,
  preferred: ReadonlyArray<string>,
  offered: ReadonlyArray<string> = Object.keys(languages)
): { readonly language: Language; readonly locale: string } => {
  const asked = new URLSearchParams(search).get("lang") ?? ""
  const own = preferred.filter(isTag)
  const isOffered = (code: string): code is Language => isLanguage(code) && offered.includes(code)
  const language = [asked, ...own].map(baseOf).find(isOffered) ?? "en"
  return { language, locale: own.find((tag) => baseOf(tag) === language) ?? language }
}

/** The direction of a language's lines. */
export const directionOf = (language: string): "ltr" | "rtl" =>
  /^(?:ar|he|fa|ur)\b/u.test(language) ? "rtl" : "ltr"
