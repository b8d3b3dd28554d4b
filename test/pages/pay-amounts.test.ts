import { assert, describe, it } from "vitest"
import { amountIn, amountText } from "../../packages/pages/src/pay/Amount.ts"

describe("a typed amount", () => {
  it.each([
    ["1000", "EUR", "de", 1000],
    ["1.000", "EUR", "de", 1000],
    ["1.000,5", "EUR", "de", 1000.5],
    ["200.50", "EUR", "de", 200.5],
    ["1,234.50", "EUR", "de", 1234.5],
    ["1,000", "EUR", "de", Number.NaN],
    ["1,000", "EUR", "en", 1000],
    ["200,50", "EUR", "en", 200.5],
    ["1.000", "EUR", "en", Number.NaN],
    ["1,00,000", "EUR", "en", Number.NaN],
    ["1\u202F234,5", "EUR", "fr", 1234.5],
    ["1 234,50", "EUR", "pl", 1234.5],
    ["1.000", "EUR", "fr", Number.NaN],
    ["1 2", "EUR", "fr", Number.NaN],
    ["1’234.50", "EUR", "de-CH", 1234.5],
    ["1,000", "EUR", "de-CH", Number.NaN],
    ["١٬٢٣٤٫٥٠", "EUR", "ar", 1234.5],
    ["۱۲۳۴٫۵", "EUR", "en", 1234.5],
    ["1.234", "KWD", "en", 1.234],
    ["1.000", "JPY", "de", 1000],
    ["1.5", "JPY", "en", Number.NaN],
    ["-1", "EUR", "en", -1],
    ["1.2.3", "EUR", "en", Number.NaN],
    ["5 €", "EUR", "en", Number.NaN],
    ["", "EUR", "en", Number.NaN]
  ] as const)("%s in %s and the locale %s is %d", (typed, currency, locale, amount) => {
    assert.deepStrictEqual(amountIn(typed, currency, locale), amount)
  })

  it("is read from the text that the page shows, in each language and currency", () => {
    for (const locale of ["en", "de", "fr", "es", "it", "nl", "pl", "pt", "el", "uk", "ar", "ar-EG", "de-CH"])
      for (const [currency, amount] of [
        ["EUR", 1234.5],
        ["JPY", 12_345],
        ["KWD", 12_345.678]
      ] as const)
        assert.strictEqual(amountIn(amountText(amount, currency, locale), currency, locale), amount)
  })
})
