/** Measures, breaks and draws text, each character in the first font that has it. */
import type Pdfkit from "pdfkit"
import { fontAt, type LoadedFont, type Weight } from "./Fonts.ts"
import { optionalFontFor } from "./OptionalFonts.ts"
import { type Direction, directionOf, inVisualOrder, levelsOf, mirrored } from "./ReadingOrder.ts"

/** A pdfkit document. */
export type Pdf = InstanceType<typeof Pdfkit>

/** How a text looks. Sizes and lengths are in points. */
export interface Style {
  readonly weight: Weight
  readonly size: number
  readonly color: string
}

/** The meaning of a text's `x`: its left edge, its right edge or its middle. */
export type Align = "left" | "right" | "center"

interface Run {
  readonly font: LoadedFont
  readonly text: string
  readonly level: number
}

/** Stands in front of a row of a paragraph that is read from right to left. */
const rightToLeftMark = "\u200F"

const replacement = "\uFFFD"

/**
 * Control characters, and those that only steer the direction or the joining of others: fonts have nothing for them. Between
 * Arabic letters, U+200C and U+200D decide how the letters join.
 */
const invisible =
  /[\p{Cc}\p{Variation_Selector}\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|(?<!\p{Script=Arabic})[\u200C\u200D]/gu

/** The text with composed characters, without control characters, and with only ordinary and unbreakable spaces. */
const cleaned = (text: string) =>
  text
    .normalize("NFC")
    .replaceAll(/[\t-\r]/gu, " ")
    .replaceAll(invisible, "")
    .replaceAll(/[^\S\u00A0\u202F]/gu, " ")

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const isCovered = (text: string, { covers }: LoadedFont) => {
  for (const character of text) if (!covers(character.codePointAt(0) ?? 0)) return false
  return true
}

/** Sets text on the pages of one PDF. */
export const makeTypesetter = (pdf: Pdf) => {
  const missing = new Set<string>()
  const registered = new Set<string>()
  const widths = new Map<string, number>()

  const use = ({ font, id }: LoadedFont, size: number) => {
    if (!registered.has(id)) {
      // pdfkit takes fonts of fontkit since 0.20; its published types do not say so yet.
      pdf.registerFont(id, font as object as Uint8Array)
      registered.add(id)
    }
    pdf.font(id).fontSize(size)
  }

  /** The first font that has all of a grapheme's characters: an own one, or one of an optional package. */
  const fontFor = (grapheme: string, context: string, weight: Weight): LoadedFont | undefined => {
    for (let index = 0; ; index++) {
      const font = fontAt(weight, index)
      if (font === undefined) return optionalFontFor(grapheme, context, weight)
      if (isCovered(grapheme, font)) return font
    }
  }

  /** The parts of a row in one font and one direction, from left to right on paper. */
  const runsOf = (text: string, weight: Weight, direction?: Direction): ReadonlyArray<Run> => {
    const first = fontAt(weight, 0)
    const levels = levelsOf(text, direction)
    if (levels === undefined && first !== undefined && isCovered(text, first))
      return [{ font: first, text, level: 0 }]
    const runs: Array<{ font: LoadedFont; text: string; level: number }> = []
    for (const { index, segment } of graphemes.segment(text)) {
      const level = levels?.[index] ?? 0
      const written = level % 2 === 1 ? mirrored(segment) : segment
      // If no font has a wide or another special form of a character, the plain character is drawn.
      let shown = fontFor(written, text, weight) === undefined ? written.normalize("NFKC") : written
      let font = fontFor(shown, text, weight)
      if (font === undefined) {
        missing.add(segment)
        shown = replacement
        font = fontFor(replacement, text, weight)
      }
      if (font === undefined) continue
      const last = runs.at(-1)
      if (last?.font === font && last.level === level) last.text += shown
      else runs.push({ font, text: shown, level })
    }
    return levels === undefined ? runs : inVisualOrder(runs)
  }

  const measure = (text: string, style: Style): number => {
    const key = `${style.weight}${style.size} ${text}`
    const known = widths.get(key)
    if (known !== undefined) return known
    let width = 0
    for (const run of runsOf(text, style.weight)) {
      use(run.font, style.size)
      width += pdf.widthOfString(run.text)
    }
    widths.set(key, width)
    return width
  }

  /** A word in pieces that fit. */
  const breakWord = (word: string, style: Style, width: number): Array<string> => {
    if (measure(word, style) <= width) return [word]
    const pieces: Array<string> = []
    let piece = ""
    for (const { segment } of graphemes.segment(word)) {
      if (piece !== "" && measure(piece + segment, style) > width) {
        pieces.push(piece)
        piece = ""
      }
      piece += segment
    }
    return [...pieces, piece]
  }

  const wrapParagraph = (paragraph: string, style: Style, width: number): ReadonlyArray<string> => {
    const space = measure(" ", style)
    const rows: Array<string> = []
    let row = ""
    let used = 0
    for (const word of paragraph.split(/ +/u).flatMap((whole) => breakWord(whole, style, width))) {
      const needed = measure(word, style)
      if (row !== "" && used + space + needed > width) {
        rows.push(row)
        row = word
        used = needed
      } else {
        used += row === "" ? needed : space + needed
        row = row === "" ? word : `${row} ${word}`
      }
    }
    return [...rows, row]
  }

  return {
    /** The characters that no font has, in the order in which they were met. */
    missing,
    /** The width of a text in one row. */
    width: (text: string, style: Style): number => measure(cleaned(text), style),
    /** The rows of a text no wider than `width`; line breaks in the text are kept. */
    rows: (text: string, style: Style, width: number): ReadonlyArray<string> =>
      text.split(/\r\n|[\n\r\u2028\u2029]/u).flatMap((paragraph) => {
        const mark = directionOf(paragraph) === "rtl" ? rightToLeftMark : ""
        return wrapParagraph(cleaned(paragraph).trim(), style, width).map((row) => `${mark}${row}`)
      }),
    /** Draws one row with its baseline at `y`. */
    draw: (text: string, x: number, y: number, style: Style, align: Align = "left"): void => {
      const shown = cleaned(text)
      const direction = text.startsWith(rightToLeftMark) ? "rtl" : undefined
      const shift = align === "left" ? 0 : measure(shown, style) / (align === "right" ? 1 : 2)
      let at = x - shift
      pdf.fillColor(style.color)
      for (const run of runsOf(shown, style.weight, direction)) {
        use(run.font, style.size)
        pdf.text(run.text, at, y, { lineBreak: false, baseline: "alphabetic" })
        at += pdf.widthOfString(run.text)
      }
    }
  }
}

/** {@link makeTypesetter}'s result. */
export type Typesetter = ReturnType<typeof makeTypesetter>
