// Scripts whose fonts come from optional packages, and text that is read from right to left.
import { InvoiceRenderer } from "@livery/domain"
import { PdfInvoices } from "@livery/integrations"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { directionOf, inVisualOrder, levelsOf } from "../../src/pdf/ReadingOrder.ts"
import { readPdf } from "./ReadPdf.ts"
import { usual } from "./Samples.ts"

/** A row as it stands on paper, if each character is a part of its own. */
const onPaper = (text: string) => {
  const levels = levelsOf(text, directionOf(text))
  const parts = Array.from(text, (character, at) => ({ text: character, level: levels?.[at] ?? 0 }))
  return inVisualOrder(parts)
    .map((part) => part.text)
    .join("")
}

describe("the order of a row on paper", () => {
  it("is the written one without letters that are read from right to left", () => {
    assert.strictEqual(onPaper("Airport (T1) – Hotel"), "Airport (T1) – Hotel")
  })

  it("turns text from right to left around, and keeps its numbers and Latin words", () => {
    assert.strictEqual(onPaper("אבג דהו"), "והד גבא")
    assert.strictEqual(onPaper("אבג 123 INV-7"), "INV-7 123 גבא")
    assert.strictEqual(onPaper("To אבג, דהו 12 x"), "To 12 והד ,גבא x")
  })

  it("turns the signs of a part around, not its letters, which the font does", () => {
    const parts = [
      { text: "אב", level: 1 },
      { text: " - ", level: 1 },
      { text: "12", level: 2 }
    ]
    assert.deepStrictEqual(
      inVisualOrder(parts).map(({ text }) => text),
      ["12", " - ", "אב"]
    )
  })
})

layer(PdfInvoices.layer({ timeout: "1 hour" }), { excludeTestServices: true })(
  "the PDF of an invoice",
  (it) => {
    const placesOf = (description: string) =>
      Effect.gen(function* () {
        const renderer = yield* InvoiceRenderer
        const [line] = usual.lines
        const lines = line === undefined ? [] : [{ ...line, description }]
        const { bytes, missing_characters } = yield* renderer.render({ ...usual, lines })
        const { pages } = yield* readPdf(bytes)
        return { missing_characters, places: pages.flatMap(({ places }) => places) }
      })

    it.effect("shows Arabic, Hebrew and Thai if their packages are installed", () =>
      Effect.gen(function* () {
        const { missing_characters } = yield* placesOf("مرحبا بالعالم، שלום עולם, สวัสดีชาวโลก")
        assert.deepStrictEqual(missing_characters, [])
      })
    )

    it.effect("has the first word of a text from right to left at its right", () =>
      Effect.gen(function* () {
        const { places } = yield* placesOf("שלום 12 עולם")
        const xOf = (word: string) => {
          const found = places.find(
            ({ text }) => text === word || text === Array.from(word).toReversed().join("")
          )
          return found === undefined
            ? assert.fail(`no ${word} in ${places.map(({ text }) => text).join("|")}`)
            : found.x
        }
        assert.isAbove(xOf("שלום"), xOf("12"))
        assert.isAbove(xOf("12"), xOf("עולם"))
      })
    )
  }
)
