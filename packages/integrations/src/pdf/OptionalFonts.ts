/**
 * Fonts for further scripts from optional packages (`fontPackages` of the domain), which are found when the server runs: beside
 * the executable, or in the folder in which it was started. A package has its font in parts, each with the characters that it
 * covers; a part is read when a text first needs it.
 */
import { fontPackages } from "@livery/domain/fonts"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { type LoadedFont, loadFont, type Weight } from "./Fonts.ts"

const weights: Readonly<Record<Weight, number>> = { regular: 400, semibold: 600 }

/** A part of a package's font. `ranges` are the first and the last character of each range. */
interface Part {
  readonly id: string
  readonly fileOf: (weight: number) => string
  readonly ranges: ReadonlyArray<readonly [first: number, last: number]>
}

const rangeOf = (text: string): readonly [number, number] => {
  const [first = "", last = first] = text.trim().replace(/^U\+/iu, "").split("-")
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
}

/** The folder of a package; undefined if it is not installed. */
const folderOf = (name: string): string | undefined => {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), "package.json")).href])
    try {
      return dirname(createRequire(from).resolve(`${name}/package.json`))
    } catch {
      // Not found from here.
    }
  return undefined
}

/** The parts of an installed package's font. */
const partsOf = (name: string): ReadonlyArray<Part> => {
  const folder = folderOf(name)
  if (folder === undefined) return []
  const ranges = JSON.parse(readFileSync(join(folder, "unicode.json"), "utf8")) as Record<string, string>
  const font = name.split("/").at(-1) ?? ""
  return Object.entries(ranges).map(([key, text]) => {
    const part = key.replaceAll(/[[\]]/gu, "")
    return {
      id: `${font}-${part}`,
      fileOf: (weight) => join(folder, "files", `${font}-${part}-${weight}-normal.woff`),
      ranges: text.split(",").map(rangeOf)
    }
  })
}

const parts = new Map<string, ReadonlyArray<Part>>()

const knownParts = (name: string) => {
  const known = parts.get(name) ?? partsOf(name)
  parts.set(name, known)
  return known
}

const fonts = new Map<string, LoadedFont | undefined>()

/** The font of a part; undefined if its file cannot be read. */
const fontOf = ({ fileOf, id }: Part, weight: Weight): LoadedFont | undefined => {
  const key = `${weight}-${id}`
  if (fonts.has(key)) return fonts.get(key)
  const load = () => {
    try {
      return loadFont(key, fileOf(weights[weight]))
    } catch {
      return undefined
    }
  }
  const font = load()
  fonts.set(key, font)
  return font
}

const contains = ({ ranges }: Part, codePoint: number) =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last)

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const hangul = /\p{Script=Hangul}/u

/** The packages in the order for a text: Chinese characters have other shapes in Japanese and Korean texts. */
const packagesFor = (context: string) => {
  const first = kana.test(context) ? "sans-jp" : hangul.test(context) ? "sans-kr" : undefined
  const names = fontPackages.map(({ name }) => name)
  const preferred = names.filter((name) => first !== undefined && name.endsWith(first))
  const others =
    first === undefined ? [...names.filter((name) => !/-(?:jp|kr)$/u.test(name)), ...names] : names
  return [...preferred, ...others]
}

/** The first installed font that has all characters of a grapheme of a text. */
export const optionalFontFor = (
  grapheme: string,
  context: string,
  weight: Weight
): LoadedFont | undefined => {
  const codePoints = Array.from(grapheme, (character) => character.codePointAt(0) ?? 0)
  const [first = 0] = codePoints
  for (const name of packagesFor(context))
    for (const part of knownParts(name)) {
      if (!contains(part, first)) continue
      const font = fontOf(part, weight)
      if (font !== undefined && codePoints.every(font.covers)) return font
    }
  return undefined
}
