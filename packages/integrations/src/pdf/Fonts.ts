/**
 * The fonts of an invoice: Inter, and Noto Sans for the characters that Inter lacks. Together they cover Latin, Greek,
 * Cyrillic and Vietnamese (both under the SIL Open Font License). Fonts for other scripts come from optional packages, if they
 * are installed (`OptionalFonts.ts`). Parsed fonts and laid out words are cached, since both cost far more than writing a page.
 */
import { create, type Font } from "fontkit"
import { existsSync, readFileSync } from "node:fs"

/** The weights in use. */
export type Weight = "regular" | "semibold"

/** A font for one weight. `id` is its name within a PDF. */
export interface LoadedFont {
  readonly id: string
  readonly font: Font
  readonly covers: (codePoint: number) => boolean
}

/** The folder of the fonts: beside the bundle of the executable, or in this package. */
const folder = () =>
  ["fonts/", "../../fonts/"].map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url))

/** The fonts of a weight, in the order in which they are tried. */
const files: Readonly<Record<Weight, ReadonlyArray<string>>> = {
  regular: ["Inter-Regular.ttf", "NotoSans-Regular.ttf"],
  semibold: ["Inter-SemiBold.ttf", "NotoSans-SemiBold.ttf"]
}

/** How many laid out words a font caches. */
const cachedWords = 4000

/** Amounts and dates, without letters: their digits get one width, so that they stand in columns. */
const figures = /^-?[^\p{L}\p{Pd}]*\d[^\p{L}\p{Pd}]*$/u

const latin = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u

/** No contextual forms in Latin: they turn "2x3" and "->" into other signs. Other scripts need them. */
const featuresFor = (text: string) => (latin.test(text) ? { calt: false, tnum: figures.test(text) } : {})

/** Digits and signs without letters are laid out from left to right, also those of a script that is read from right to left. */
const directionOf = (text: string) => (/\p{L}/u.test(text) ? undefined : "ltr")

type Run = ReturnType<Font["layout"]>

/** pdfkit scales a run's positions in place: each use gets its own. */
const copyOf = (run: Run): Run => {
  const positions = run.positions.map((position) => ({ ...position }))
  return Object.create(run, {
    positions: { value: positions },
    advanceWidth: { get: () => positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) }
  })
}

/**
 * Drops the glyphs that fontkit caches. A cached glyph keeps the characters of its first use; it has none if that was as a part
 * of another glyph, as the Latin o is of the Cyrillic one. The text of a PDF would then depend on the earlier ones.
 */
const dropGlyphs = (font: Font) => {
  Object.assign(font, { _glyphs: {} })
}

/** The font with a cache of laid out words. */
const withCache = (font: Font): Font => {
  const words = new Map<string, Run>()
  const layout = (text: string): Run => {
    const known = words.get(text)
    if (known !== undefined) return copyOf(known)
    if (words.size >= cachedWords) words.clear()
    dropGlyphs(font)
    const run = font.layout(text, featuresFor(text), undefined, undefined, directionOf(text))
    words.set(text, run)
    return copyOf(run)
  }
  return Object.create(font, { layout: { value: layout } })
}

/** Loads a font from a file. `id` is its name within a PDF. */
export const loadFont = (id: string, file: string | URL): LoadedFont => {
  const parsed = create(readFileSync(file))
  if (!("layout" in parsed)) throw new TypeError(`${String(file)} is a collection of fonts`)
  const characters = new Set(parsed.characterSet)
  return { id, font: withCache(parsed), covers: (codePoint) => characters.has(codePoint) }
}

const loaded = new Map<string, LoadedFont>()

/** The font of a weight at an index, 0 for the first choice; undefined beyond the last. Its file is read at its first use. */
export const fontAt = (weight: Weight, index: number): LoadedFont | undefined => {
  const file = files[weight][index]
  if (file === undefined) return undefined
  const known = loaded.get(file)
  if (known !== undefined) return known
  const font = loadFont(`${weight}-${index}`, new URL(file, folder()))
  loaded.set(file, font)
  return font
}
