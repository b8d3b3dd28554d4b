/** The codes of countries by their names. */

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

let codes: ReadonlyMap<string, string> | undefined

/** The codes by the names in English and German. Engines take some milliseconds for the names, so they are asked once. */
const codesByName = (): ReadonlyMap<string, string> => {
  if (codes !== undefined) return codes
  const found = new Map<string, string>([
    ["usa", "US"],
    ["uk", "GB"],
    ["great britain", "GB"]
  ])
  for (const locale of ["en", "de"]) {
    const names = new Intl.DisplayNames([locale], { type: "region", fallback: "none" })
    for (const one of letters)
      for (const other of letters) {
        const name = names.of(`${one}${other}`)?.toLowerCase()
        if (name !== undefined && !found.has(name)) found.set(name, `${one}${other}`)
      }
  }
  return (codes = found)
}

/** The code of a country that is written as its name or its code; the text itself if it is neither. */
export const countryCode = (text: string): string =>
  text.length === 2 ? text.toUpperCase() : (codesByName().get(text.toLowerCase()) ?? text)
