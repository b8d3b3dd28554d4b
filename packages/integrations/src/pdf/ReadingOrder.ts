/** The order in which the parts of a row stand on paper (Unicode's bidirectional algorithm, UAX #9). */
import bidiFactory from "bidi-js"

// The package is CommonJS, whose types state the function as its `default`.
const bidi = (bidiFactory as object as typeof bidiFactory.default)()

/** The base direction of a row; undefined if its first letter decides. */
export type Direction = "ltr" | "rtl" | undefined

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

const letter = /\p{L}/u

/** The direction of a paragraph by its first letter. */
export const directionOf = (text: string): Direction => {
  const first = letter.exec(text)?.[0]
  return first !== undefined && rightToLeft.test(first) ? "rtl" : undefined
}

/** The level of each UTF-16 unit of a row: odd levels are read from right to left. Undefined if the whole row is read from left to right. */
export const levelsOf = (text: string, direction: Direction): Uint8Array | undefined =>
  direction === "rtl" || rightToLeft.test(text) ? bidi.getEmbeddingLevels(text, direction).levels : undefined

/** A character as it looks where text is read from right to left: brackets turn around. */
export const mirrored = (character: string): string => bidi.getMirroredCharacter(character) ?? character

/** A part of a row in one direction. */
export interface Part {
  readonly text: string
  readonly level: number
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Fonts lay out letters of scripts that are read from right to left in that order, but not the signs between them. */
const turned = <P extends Part>(part: P): P =>
  part.level % 2 === 0 || rightToLeft.test(part.text)
    ? part
    : {
        ...part,
        text: Array.from(graphemes.segment(part.text), ({ segment }) => segment)
          .toReversed()
          .join("")
      }

/** The parts of a row from left to right on paper. */
export const inVisualOrder = <P extends Part>(parts: ReadonlyArray<P>): ReadonlyArray<P> => {
  const ordered = parts.map(turned)
  const highest = Math.max(0, ...parts.map(({ level }) => level))
  for (let level = highest; level > 0; level--) {
    let start = 0
    while (start < ordered.length) {
      let end = start
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end++
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed())
      start = end + 1
    }
  }
  return ordered
}
