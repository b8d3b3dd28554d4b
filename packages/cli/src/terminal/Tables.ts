/** Tables and records as text. On a terminal they fit its width, and their titles are bold. Elsewhere nothing is cut. */
import stringWidth from "string-width"
import { printable } from "./TerminalLine.ts"
import { widthOf } from "./TerminalWidth.ts"

/** The output that the text is for. `columns` is its width if it is a terminal whose width is known. */
export interface Output {
  readonly columns: number | undefined
  readonly isColoured: boolean
}

/** The standard output of this process. Colour is only for terminals, and not if `NO_COLOR` is set. */
export const standardOutput = (): Output => {
  const { isTTY } = process.stdout
  return {
    columns: widthOf(process.stdout),
    isColoured: isTTY && (process.env["NO_COLOR"] ?? "") === ""
  }
}

/** A column: the field that it shows, and its title. */
export type Column = readonly [field: string, title: string]

const gap = "  "

/** A field's value on one line; `-` for null. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  return printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** The text, cut to a number of terminal cells. Some characters take two cells, and some none. */
const fitted = (text: string, width: number) => {
  if (stringWidth(text) <= width) return text
  let shown = ""
  let cells = 0
  for (const { segment } of characters.segment(text)) {
    cells += stringWidth(segment)
    if (cells > width - 1) break
    shown += segment
  }
  return `${shown}…`
}

/** The text in lines of at most so many cells, broken between words where a word fits on a line. */
const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines = [""]
  const last = () => lines[lines.length - 1] ?? ""
  for (const word of text.split(" ")) {
    const joined = last() === "" ? word : `${last()} ${word}`
    if (stringWidth(joined) <= width) {
      lines[lines.length - 1] = joined
      continue
    }
    if (last() !== "") lines.push("")
    for (const { segment } of characters.segment(word)) {
      if (stringWidth(last() + segment) > width && last() !== "") lines.push("")
      lines[lines.length - 1] = last() + segment
    }
  }
  return lines
}

/** The widths at which all columns fit: the widest column loses a cell until they do. A column keeps one cell. */
const widthsWithin = (widths: ReadonlyArray<number>, columns: number): ReadonlyArray<number> => {
  const fitting = [...widths]
  const room = columns - gap.length * (widths.length - 1)
  for (let excess = fitting.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess -= 1) {
    const widest = Math.max(...fitting)
    if (widest <= 1) break
    fitting[fitting.indexOf(widest)] = widest - 1
  }
  return fitting
}

const bold = (text: string, { isColoured }: Output) => (isColoured ? `\u001B[1m${text}\u001B[0m` : text)

const valueOf = (row: object, field: string): unknown =>
  Object.entries(row).find(([name]) => name === field)?.[1]

/**
 * A table of rows. On a terminal, values that do not fit are cut; with `wrapsLast`, those of the last column continue on
 * further lines instead.
 */
export const table = (
  rows: ReadonlyArray<object>,
  columns: ReadonlyArray<Column>,
  output: Output,
  { wrapsLast = false }: { readonly wrapsLast?: boolean } = {}
): string => {
  const cells = rows.map((row) => columns.map(([field]) => textOf(valueOf(row, field))))
  const natural = columns.map(([, title], index) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[index] ?? "")))
  )
  const widths = output.columns === undefined ? natural : widthsWithin(natural, output.columns)
  const lineOf = (texts: ReadonlyArray<string>) =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0
        const cell = fitted(text, width)
        return cell + " ".repeat(width - stringWidth(cell))
      })
      .join(gap)
      .trimEnd()
  const linesOf = (texts: ReadonlyArray<string>) => {
    if (!wrapsLast) return [lineOf(texts)]
    const [first = "", ...others] = wrapped(texts.at(-1) ?? "", widths.at(-1) ?? 0)
    return [
      [...texts.slice(0, -1), first],
      ...others.map((text) => [...texts.slice(1).map(() => ""), text])
    ].map(lineOf)
  }
  const [head = "", ...lines] = [columns.map(([, title]) => title), ...cells].flatMap(linesOf)
  return [bold(head, output), ...lines].join("\n")
}

/** A record with a line for each field. */
export const details = (record: object, output: Output): string => {
  const entries = Object.entries(record)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries
    .map(([name, value]) => {
      const text = textOf(value)
      const room = output.columns === undefined ? Infinity : Math.max(4, output.columns - width - gap.length)
      return `${bold(name.padEnd(width), output)}${gap}${fitted(text, room)}`
    })
    .join("\n")
}
