import { crossIndustryInvoice, type InvoiceDocument, InvoiceRenderer } from "@livery/domain"
import { PdfInvoices } from "@livery/integrations"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readPdf } from "./ReadPdf.ts"
import { long, usual } from "./Samples.ts"
import { american, awkward, creditNote, currency, greek, partlyPaid, settled, ukrainian } from "./Variants.ts"
import { patient, rendererWith } from "./Renderers.ts"

/** The renderer of all tests without their own. */
const together = layer(PdfInvoices.layer(patient), { excludeTestServices: true })

const rendered = Effect.fnUntraced(function* (document: InvoiceDocument) {
  const renderer = yield* InvoiceRenderer
  const result = yield* renderer.render(document)
  return { result, ...(yield* readPdf(result.bytes)) }
})

/** The text of all pages in reading order, without the marks between its pieces. */
const textOf = (pages: ReadonlyArray<{ readonly text: string }>) =>
  pages.map(({ text }) => text.replaceAll("|", " ").replaceAll(/[\s\u00A0\u202F]+/gu, " ")).join("\n")

together("the PDF of an invoice", (it) => {
  it.effect("shows all data of an invoice on one page", () =>
    Effect.gen(function* () {
      const { info, pages, result } = yield* rendered(usual)
      assert.strictEqual(result.pages, 1)
      assert.strictEqual(pages.length, 1)
      const text = textOf(pages)
      for (const part of [
        "Invoice",
        "INV-000017",
        "Isarlinie Chauffeurs GmbH",
        "Helvetic Instruments AG",
        "9 November 2026",
        "23 November 2026",
        "4500017734",
        "Sales DACH",
        "Chauffeur by the hour, business van",
        "5.5 hrs",
        "€489.50",
        "VAT 19% on €859.70",
        "€163.34",
        "VAT 7% on €18.00",
        "€1,042.30",
        "DE89 3704 0044 0532 0130 00",
        "Please quote the invoice number",
        "HRB 200417",
        "Page 1 of 1"
      ])
        assert.include(text, part)
      assert.deepStrictEqual(
        [result.logo, result.missing_characters, info["Title"]],
        ["drawn", [], "Invoice INV-000017"]
      )
    })
  )

  it.effect("links to the payment page", () =>
    Effect.gen(function* () {
      const { pages } = yield* rendered(usual)
      assert.deepStrictEqual(new Set(pages[0]?.links), new Set([usual.payment_url]))
      const paid = yield* rendered(settled)
      assert.deepStrictEqual(paid.pages[0]?.links, [])
      assert.notInclude(textOf(paid.pages), "IBAN")
    })
  )

  it.effect("repeats the head of the table and numbers the pages", () =>
    Effect.gen(function* () {
      const { pages, result } = yield* rendered(long(70))
      assert.isAbove(pages.length, 3)
      assert.strictEqual(result.pages, pages.length)
      pages.forEach(({ text }, at) => {
        assert.include(text, `Page ${at + 1} of ${pages.length}`)
        assert.include(text, "INV-000017")
      })
      const withLines = pages.filter(({ text }) => text.includes("Hauptbahnhof"))
      for (const { text } of withLines) {
        assert.include(text, "DESCRIPTION")
        assert.include(text, "UNIT PRICE")
      }
      const all = textOf(pages)
      for (let line = 1; line <= 70; line++)
        assert.strictEqual(all.split(`Transfer ${line}: `).length, 2, `line ${line}`)
      const [last, ...before] = pages.toReversed()
      assert.include(last?.text ?? "", "Subtotal")
      for (const { text } of before) assert.notInclude(text, "Subtotal")
    })
  )

  it.effect("breaks a description that is longer than a page, and words longer than a row", () =>
    Effect.gen(function* () {
      const description = Array.from({ length: 900 }, (_, at) => `word${at}`).join(" ")
      const [line] = usual.lines
      if (line === undefined) return assert.fail("no line")
      const { pages } = yield* rendered({
        ...usual,
        lines: [{ ...line, description, details: "x".repeat(400) }]
      })
      assert.isAbove(pages.length, 1)
      const text = textOf(pages)
      assert.include(text, "word0 word1")
      assert.include(text, "word899")
      assert.strictEqual(text.replaceAll(/[^x]/gu, "").length >= 400, true)
    })
  )

  it.effect("is the same bytes for the same description, after any other documents", () =>
    Effect.gen(function* () {
      const one = yield* rendererWith()
      const first = yield* one.render(usual)
      yield* one.render(greek)
      yield* one.render(long(40))
      const again = yield* one.render(usual)
      const other = yield* Effect.flatMap(rendererWith(), (renderer) => renderer.render(usual))
      assert.deepStrictEqual(again.bytes, first.bytes)
      assert.deepStrictEqual(other.bytes, first.bytes)
      const later = yield* one.render({ ...usual, issued_on: "2026-11-10" })
      assert.notDeepEqual(later.bytes, first.bytes)
    })
  )

  it.effect("has Letter pages and no VAT where the country has neither A4 nor VAT", () =>
    Effect.gen(function* () {
      const { files, pages, result } = yield* rendered(american)
      assert.strictEqual(pages[0]?.size, "612x792")
      assert.include(textOf(pages), "Tax 8.875% on $877.70")
      assert.include(textOf(pages), "November 9, 2026")
      assert.include(textOf(pages), "San Francisco, CA 94110")
      assert.deepStrictEqual(result.electronic, { _tag: "not_expected" })
      assert.deepStrictEqual(files, [])
    })
  )

  it.effect("shows what has been paid, and says so when all is", () =>
    Effect.gen(function* () {
      const part = textOf((yield* rendered(partlyPaid)).pages)
      assert.include(part, "-€400.00")
      assert.include(part, "€642.30")
      assert.notInclude(part, "PAID")
      assert.include(textOf((yield* rendered(settled)).pages), "PAID")
      const voided = yield* rendered({ ...usual, voided: true })
      assert.include(textOf(voided.pages), "VOID")
      assert.deepStrictEqual(voided.pages[0]?.links, [])
    })
  )

  it.effect("of a credit note names the invoice that it corrects", () =>
    Effect.gen(function* () {
      const text = textOf((yield* rendered(creditNote)).pages)
      assert.include(text, "Credit note")
      assert.include(text, "CORRECTS INVOICE INV-000017")
      assert.include(text, "Amount credited")
      assert.notInclude(text, "Amount due")
      assert.isNotNull(creditNote.due_on)
      assert.notInclude(text, "DUE DATE")
    })
  )
})

together("languages and scripts", (it) => {
  for (const [locale, code, parts] of [
    [
      "de-DE",
      "EUR",
      ["Rechnung", "9. November 2026", "1.042,30 €", "Seite 1 von 1", "USt. 19 % auf 859,70 €"]
    ],
    ["de-CH", "CHF", ["Rechnung", "CHF 1'042.30"]],
    ["fr-FR", "EUR", ["Facture", "9 novembre 2026", "1 042,30 €", "Reste à payer"]],
    ["es-ES", "EUR", ["Factura", "9 de noviembre de 2026", "1042,30 €"]],
    ["it-IT", "EUR", ["Fattura", "9 novembre 2026"]],
    ["nl-NL", "EUR", ["Factuur", "€ 1.042,30"]],
    ["pt-PT", "EUR", ["Fatura", "9 de novembro de 2026"]],
    ["pl-PL", "PLN", ["Faktura", "9 listopada 2026", "1042,30 zł"]],
    ["sv-SE", "SEK", ["Invoice", "9 november 2026", "1 042,30 kr"]],
    ["ja-JP", "JPY", ["Invoice", "November 9, 2026", "¥104,230"]],
    ["ar-AE", "AED", ["Invoice", "9 November 2026", "AED 1,042.30"]],
    ["sr-Cyrl-RS", "RSD", ["Invoice", "9. новембар 2026.", "1.042,30 RSD"]],
    ["de-DE", "UGX", ["104.230 UGX"]],
    ["en-US", "KWD", ["KWD 104.230"]],
    ["not a locale", "USD", ["Invoice", "$1,042.30"]]
  ] as const)
    it.effect(`shows an invoice in ${code} as the locale ${locale} writes it`, () =>
      Effect.gen(function* () {
        const { pages, result } = yield* rendered({ ...usual, locale, currency: currency(code) })
        for (const part of parts) assert.include(textOf(pages), part)
        assert.deepStrictEqual(result.missing_characters, [])
      })
    )

  for (const [script, document, parts] of [
    ["Greek", greek, ["Τιμολόγιο", "Αφοί Παπαδόπουλοι", "ᾧ τὸ παλαιὸν ῥῆμα", "ΗΜΕΡΟΜΗΝΙΑ ΕΚΔΟΣΗΣ"]],
    ["Cyrillic", ukrainian, ["Рахунок", "Їжак, ґанок", "Ђорђе, Љиљана", "Ә Ө Ү Һ Қ", "₴"]],
    [
      "Latin",
      { ...usual, notes: "Łódź, Çeşme, Đà Nẵng, Þingvellir, Ħamrun, Ș Ț, ŵ, e\u0301, ĳ, ſ, Ə" },
      ["Łódź, Çeşme, Đà Nẵng, Þingvellir, Ħamrun, Ș Ț, ŵ, é, ĳ, ſ, Ə"]
    ]
  ] as const)
    it.effect(`shows every character of ${script}`, () =>
      Effect.gen(function* () {
        const { pages, result } = yield* rendered(document)
        assert.deepStrictEqual(result.missing_characters, [])
        for (const part of parts) assert.include(textOf(pages), part)
      })
    )

  it.effect("a character that no font has is reported once, and a sign stands in its place", () =>
    Effect.gen(function* () {
      const { pages, result } = yield* rendered({ ...usual, notes: "A 日本 B 日 C 🚗 D ক E" })
      assert.deepStrictEqual(result.missing_characters, ["日", "本", "🚗", "ক"])
      assert.include(textOf(pages), "A \uFFFD\uFFFD B \uFFFD C \uFFFD D \uFFFD E")
    })
  )

  it.effect("a special form of a character is shown as the character", () =>
    Effect.gen(function* () {
      const { pages, result } = yield* rendered({ ...usual, notes: "ＡＢＣ１２３ ￥５００" })
      assert.deepStrictEqual(result.missing_characters, [])
      assert.include(textOf(pages), "ABC123 ¥500")
    })
  )

  it.effect("characters that only steer others leave no trace", () =>
    Effect.gen(function* () {
      const { pages, result } = yield* rendered({ ...usual, notes: "a\u202Eb\u200Bc\u0007d\uFEFFe\tf" })
      assert.deepStrictEqual(result.missing_characters, [])
      assert.include(textOf(pages), "abcde f")
    })
  )
})

together("the file inside", (it) => {
  it.effect("is the electronic invoice, announced in the metadata", () =>
    Effect.gen(function* () {
      const { files, metadata, result } = yield* rendered(awkward)
      assert.deepStrictEqual(result.electronic, { _tag: "attached" })
      assert.deepStrictEqual(files, [{ name: "factur-x.xml", text: crossIndustryInvoice(awkward) }])
      for (const statement of [
        "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
        "<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>",
        "<fx:DocumentType>INVOICE</fx:DocumentType>",
        "<pdfaid:part>3</pdfaid:part>",
        "<pdfaid:conformance>B</pdfaid:conformance>"
      ])
        assert.include(metadata, statement)
    })
  )

  it.effect("is bound to the document as PDF/A-3 asks, in colours that are defined", () =>
    Effect.gen(function* () {
      const { result } = yield* rendered(usual)
      const raw = Buffer.from(result.bytes).toString("latin1")
      assert.match(raw, /^%PDF-1\.7\n%[\x80-\xff]{4}\n/u)
      assert.match(raw, /\/AF \[\d+ 0 R\]/u)
      assert.match(raw, /\/AFRelationship \/Alternative/u)
      assert.match(raw, /\/Subtype \/text#2Fxml/u)
      assert.match(raw, /\/OutputIntents \[\d+ 0 R\]/u)
      assert.match(raw, /\/S \/GTS_PDFA1/u)
      assert.match(raw, /\/ID \[<[0-9a-f]+> <[0-9a-f]+>\]/u)
      assert.match(raw, /\/Lang \(en\)/u)
      assert.notMatch(raw, /\/Encrypt|\/JavaScript|\/DeviceCMYK/u)
    })
  )

  it.effect("is missing where the description is incomplete, and the result says why", () =>
    Effect.gen(function* () {
      const { files, result } = yield* rendered({ ...usual, due_on: null })
      assert.deepStrictEqual(result.electronic, { _tag: "incomplete", faults: ["due_date"] })
      assert.deepStrictEqual(files, [])
    })
  )

  it.effect("does not break the metadata with a title that XML would have to escape", () =>
    Effect.gen(function* () {
      const { metadata } = yield* rendered({ ...usual, number: "R&D <7>" })
      assert.include(metadata, "Invoice R D  7 ")
    })
  )
})
