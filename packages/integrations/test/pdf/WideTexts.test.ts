// Large amounts, long dates and long words: no text covers another one or is cut off.
import { type InvoiceDocument, InvoiceRenderer } from "@livery/domain"
import { PdfInvoices } from "@livery/integrations"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readPdf } from "./ReadPdf.ts"
import { usual, withLines } from "./Samples.ts"
import { currency } from "./Variants.ts"

/** An invoice of that many minor units without tax. */
const ofAmount = (locale: string, code: string, minor: number): InvoiceDocument => {
  const [line] = usual.lines
  if (line === undefined) return assert.fail("no line")
  return withLines(
    {
      ...usual,
      number: "INV-123456789",
      issued_on: "2026-09-23",
      due_on: "2027-02-23",
      locale,
      currency: currency(code)
    },
    [
      { ...line, unit_price_minor: minor, net_minor: minor, description: "Donaudampfschifffahrt".repeat(9) },
      { ...line, quantity: "999999.999", unit_price_minor: 1, net_minor: 1_000_000 }
    ]
  )
}

layer(PdfInvoices.layer({ timeout: "1 hour" }), { excludeTestServices: true })(
  "the PDF of an invoice",
  (it) => {
    for (const [locale, code, taxable] of [
      ["uk-UA", "UAH", "8 400 010 000,00"],
      ["pt-PT", "EUR", "8 400 010 000,00"],
      ["de-DE", "EUR", "8.400.010.000,00"],
      ["el-GR", "EUR", "8.400.010.000,00"],
      ["en-US", "USD", "$8,400,010,000.00"],
      ["pl-PL", "PLN", "8 400 010 000,00"]
    ] as const)
      it.effect(`shows large amounts entirely, beside each other, in ${locale}`, () =>
        Effect.gen(function* () {
          const renderer = yield* InvoiceRenderer
          const { bytes } = yield* renderer.render(ofAmount(locale, code, 840_000_000_000))
          const { pages } = yield* readPdf(bytes)
          for (const { places } of pages)
            for (const [index, one] of places.entries())
              for (const other of places.slice(index + 1))
                if (Math.abs(one.y - other.y) < 1)
                  assert.isTrue(
                    one.x + one.width <= other.x + 1 || other.x + other.width <= one.x + 1,
                    `"${one.text}" and "${other.text}"`
                  )
          const texts = pages.flatMap(({ places }) =>
            places.map(({ text }) => text.replaceAll(/[\s\u00A0\u202F]/gu, " "))
          )
          // The subtotal, and the label of the tax on it.
          assert.lengthOf(
            texts.filter((text) => text.includes(taxable)),
            2
          )
        })
      )
  }
)
