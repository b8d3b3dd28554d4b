/** The optional packages with fonts for scripts that the PDFs cannot show by themselves (docs/billing/invoice-pdf.md). */

/** A package from npm, and the characters that it is installed for. */
export interface FontPackage {
  readonly name: string
  readonly characters: RegExp
}

const noto = (name: string, characters: RegExp): FontPackage => ({
  name: `@fontsource/noto-${name}`,
  characters
})

/** The packages, in the order in which a character is looked for in them. */
export const fontPackages: ReadonlyArray<FontPackage> = [
  noto("sans-arabic", /\p{Script=Arabic}/u),
  noto("sans-hebrew", /\p{Script=Hebrew}/u),
  noto("sans-thai", /\p{Script=Thai}/u),
  noto("sans-jp", /[\p{Script=Hiragana}\p{Script=Katakana}]/u),
  noto("sans-kr", /\p{Script=Hangul}/u),
  noto("sans-sc", /[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF]/u),
  noto("sans-tc", /\p{Script=Han}/u),
  noto("sans-devanagari", /\p{Script=Devanagari}/u),
  noto("sans-bengali", /\p{Script=Bengali}/u),
  noto("sans-tamil", /\p{Script=Tamil}/u),
  noto("sans-armenian", /\p{Script=Armenian}/u),
  noto("sans-georgian", /\p{Script=Georgian}/u),
  noto("sans-khmer", /\p{Script=Khmer}/u),
  noto("sans-lao", /\p{Script=Lao}/u),
  noto("sans-myanmar", /\p{Script=Myanmar}/u),
  noto("sans-ethiopic", /\p{Script=Ethiopic}/u),
  noto("emoji", /\p{Extended_Pictographic}|\p{Regional_Indicator}/u)
]

/** The package with a font for a character; undefined if no package is known. */
export const fontPackageFor = (character: string): string | undefined =>
  fontPackages.find(({ characters }) => characters.test(character))?.name
