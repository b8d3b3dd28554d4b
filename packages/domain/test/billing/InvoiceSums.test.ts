import { Currency, type Tax } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { containedTax } from "../../src/kernel/money/Taxes.ts"
import {
  measureOf,
  netOf,
  settled,
  sumsOf,
  type TaxedLine,
  taxesByRate,
  taxesOf
} from "../../src/billing/invoice/InvoiceSums.ts"
import { taxedAs } from "../../src/billing/invoice/LineTaxes.ts"

const euro = Currency.make("EUR")

const named = (name: string, rate: number): Tax => ({ name, rate })
const at = (rate: number): ReadonlyArray<Tax> => (rate === 0 ? [] : [{ name: null, rate }])

const line = (
  unit_price_minor: number,
  taxes: ReadonlyArray<Tax>,
  tax_included: boolean,
  quantity = 1,
  currency = euro
): TaxedLine => ({
  quantity,
  unit_price_minor,
  ...taxedAs(taxes, tax_included),
  net_minor: netOf(unit_price_minor, quantity, currency)
})

const quebec = [named("GST", 5), named("QST", 9.975)]

describe("the sums of known invoices", () => {
  const cases: ReadonlyArray<{
    readonly title: string
    readonly currency?: string
    readonly lines: ReadonlyArray<TaxedLine>
    readonly nets: ReadonlyArray<number>
    readonly taxes: ReadonlyArray<readonly [string | undefined, rate: number, taxable: number, tax: number]>
    readonly total: number
  }> = [
    {
      title: "Austria, 10 % in the price",
      lines: [line(5500, at(10), true)],
      nets: [5000],
      taxes: [[undefined, 10, 5000, 500]],
      total: 5500
    },
    {
      title: "Austria, a price that has no net amount in cents",
      lines: [line(4900, at(10), true)],
      nets: [4455],
      taxes: [[undefined, 10, 4455, 445]],
      total: 4900
    },
    {
      title: "Austria, a month of equal prices, where the net amounts of the lines differ by one cent",
      lines: [line(4550, at(10), true), line(4550, at(10), true), line(4550, at(10), true)],
      nets: [4137, 4136, 4136],
      taxes: [[undefined, 10, 12_409, 1241]],
      total: 13_650
    },
    {
      title: "Germany, 7 and 19 % in the prices",
      lines: [line(2990, at(7), true), line(11_900, at(19), true), line(1000, at(19), true, -1)],
      nets: [2794, 10_000, -840],
      taxes: [
        [undefined, 7, 2794, 196],
        [undefined, 19, 9160, 1740]
      ],
      total: 13_890
    },
    {
      title: "Germany, 19 % in one price and added to another one",
      lines: [line(11_900, at(19), true), line(10_000, at(19), false)],
      nets: [10_000, 10_000],
      taxes: [[undefined, 19, 20_000, 3800]],
      total: 23_800
    },
    {
      title: "Switzerland, 8.1 % in prices that are multiples of 0.05",
      currency: "CHF",
      lines: [line(12_955, at(8.1), true), line(3005, at(8.1), true)],
      nets: [11_984, 2780],
      taxes: [[undefined, 8.1, 14_764, 1196]],
      total: 15_960
    },
    {
      title: "Quebec, GST and QST added",
      currency: "CAD",
      lines: [line(10_000, quebec, false), line(3333, quebec, false)],
      nets: [10_000, 3333],
      taxes: [
        ["GST", 5, 13_333, 667],
        ["QST", 9.975, 13_333, 1330]
      ],
      total: 15_330
    },
    {
      title: "Quebec, GST and QST in the price",
      currency: "CAD",
      lines: [line(11_498, quebec, true)],
      nets: [10_000],
      taxes: [
        ["GST", 5, 10_000, 500],
        ["QST", 9.975, 10_000, 998]
      ],
      total: 11_498
    },
    {
      title: "Canada, GST on every line and QST on one",
      currency: "CAD",
      lines: [line(10_000, quebec, false), line(5000, [named("GST", 5)], false)],
      nets: [10_000, 5000],
      taxes: [
        ["GST", 5, 15_000, 750],
        ["QST", 9.975, 10_000, 998]
      ],
      total: 16_748
    },
    {
      title: "Japan, 10 % in prices without decimals",
      currency: "JPY",
      lines: [line(8000, at(10), true), line(1234, at(10), true)],
      nets: [7273, 1122],
      taxes: [[undefined, 10, 8395, 839]],
      total: 9234
    },
    {
      title: "a line without tax beside one with tax in its price",
      lines: [line(5500, at(10), true), line(1500, [], true)],
      nets: [5000, 1500],
      taxes: [
        [undefined, 10, 5000, 500],
        [undefined, 0, 1500, 0]
      ],
      total: 7000
    }
  ]
  for (const { currency: code = "EUR", lines, nets, taxes, title, total } of cases)
    it(`are right: ${title}`, () => {
      const currency = Currency.make(code)
      const all = settled(lines, currency)
      assert.deepStrictEqual(
        all.map(({ net_minor }) => net_minor),
        nets
      )
      assert.deepStrictEqual(
        taxesOf(all, currency).map(({ name, rate, tax_minor, taxable_minor }) => [
          name,
          rate,
          taxable_minor,
          tax_minor
        ]),
        taxes.map((tax) => [...tax])
      )
      assert.strictEqual(sumsOf(all, currency).total_minor, total)
    })
})

const Rates = Schema.Literals([0, 2.6, 5.5, 7, 8.1, 8.875, 10, 13, 19, 20, 25, 100])

const RandomLine = Schema.Struct({
  price: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99_999 })),
  quantity: Schema.Literals([1000, 1000, 1000, 2000, 3000, 500, 333, -1000, -250]),
  taxes: Schema.Union([Rates, Schema.Literal("quebec")]),
  included: Schema.Boolean
})

const lineOf = ({ included, price, quantity, taxes }: typeof RandomLine.Type) =>
  line(price, taxes === "quebec" ? quebec : at(taxes), included, quantity / 1000)

describe("any lines", () => {
  it.prop(
    "have a total that is the sum of the prices with tax, and each line's net amount is within a cent of its share",
    { lines: Schema.NonEmptyArray(RandomLine) },
    ({ lines }) => {
      const priced = lines.map((each) => lineOf({ ...each, included: true }))
      const all = settled(priced, euro)
      const { subtotal_minor, tax_minor, total_minor } = sumsOf(all, euro)
      const gross = priced.reduce((sum, each) => sum + measureOf(each, euro), 0)
      assert.strictEqual(total_minor, gross)
      assert.strictEqual(subtotal_minor + tax_minor, total_minor)
      for (const each of all) {
        const share = (measureOf(each, euro) * 100) / (100 + each.tax_rate)
        assert.isBelow(Math.abs(each.net_minor - share), 2)
      }
      // Settling again changes nothing.
      assert.deepStrictEqual(settled(all, euro), all)
    }
  )

  it.prop(
    "have taxes that the rules of the standard accept: the sums of the lines, and less than three cents from the exact tax",
    { lines: Schema.NonEmptyArray(RandomLine) },
    ({ lines }) => {
      const all = settled(lines.map(lineOf), euro)
      for (const { name, rate, tax_minor, taxable_minor } of taxesOf(all, euro)) {
        const taxed = all.filter(({ tax_rate, taxes }) =>
          name === undefined
            ? taxes === undefined && tax_rate === rate
            : taxes?.some((tax) => tax.name === name && tax.rate === rate)
        )
        assert.strictEqual(
          taxable_minor,
          taxed.reduce((sum, { net_minor }) => sum + net_minor, 0)
        )
        assert.isBelow(Math.abs(tax_minor - (taxable_minor * rate) / 100), 3)
      }
    }
  )

  it.prop(
    "without tax in their prices have the sums that they always had",
    { lines: Schema.NonEmptyArray(RandomLine) },
    ({ lines }) => {
      const all = lines.map((each) =>
        lineOf({ ...each, included: false, taxes: each.taxes === "quebec" ? 19 : each.taxes })
      )
      assert.strictEqual(settled(all, euro), all)
      const rates = [...new Set(all.map(({ tax_rate }) => tax_rate))]
      const tax = rates.reduce((sum, rate) => {
        const net = all.reduce((part, each) => (each.tax_rate === rate ? part + each.net_minor : part), 0)
        const exact = BigInt(net) * BigInt(Math.round(rate * 1000))
        const size = exact < 0n ? -exact : exact
        const rounded = Number((2n * size + 100_000n) / 200_000n)
        return sum + (exact < 0n ? -rounded : rounded)
      }, 0)
      assert.strictEqual(sumsOf(all, euro).tax_minor, tax)
    }
  )
})

describe("the taxes of books", () => {
  it.prop(
    "have one entry for each sum of rates, and the same sums as the taxes of the invoice, also of each tax apart",
    { lines: Schema.NonEmptyArray(RandomLine) },
    ({ lines }) => {
      const all = settled(lines.map(lineOf), euro)
      const byRate = taxesByRate(all, taxesOf(all, euro))
      const { subtotal_minor, tax_minor } = sumsOf(all, euro)
      const sum = (of: (tax: (typeof byRate)[number]) => number) =>
        byRate.reduce((to, tax) => to + of(tax), 0)
      assert.strictEqual(
        sum((tax) => tax.taxable_minor),
        subtotal_minor
      )
      assert.strictEqual(
        sum((tax) => tax.tax_minor),
        tax_minor
      )
      assert.strictEqual(byRate.length, new Set(byRate.map(({ rate }) => rate)).size)
      if (all.every(({ taxes }) => taxes === undefined))
        assert.deepStrictEqual<ReadonlyArray<object>>(
          byRate.map(({ parts: _parts, ...tax }) => tax),
          taxesOf(all, euro)
        )
      const parts = byRate.flatMap((entry) => entry.parts)
      for (const { name, rate, tax_minor: whole } of taxesOf(all, euro))
        assert.strictEqual(
          parts.reduce((to, part) => to + (part.name === name && part.rate === rate ? part.tax_minor : 0), 0),
          whole
        )
    }
  )
})

describe("the tax in an amount", () => {
  it("is the rounded tax of the net amount wherever the amount has such a net amount", () => {
    const rounded = (net: number, rate: number) => Math.floor((net * rate * 10 + 500) / 1000)
    let without = 0
    for (let gross = 50; gross <= 30_000; gross += 50) {
      const { net_minor, taxes } = containedTax(gross, at(10))
      const tax = taxes.reduce((sum, part) => sum + part, 0)
      assert.strictEqual(net_minor + tax, gross)
      const exists = [-1, 0, 1].some((step) => net_minor + step + rounded(net_minor + step, 10) === gross)
      assert.strictEqual(rounded(net_minor, 10) === tax, exists, String(gross))
      assert.isAtMost(Math.abs(rounded(net_minor, 10) - tax), 1)
      if (!exists) without += 1
    }
    // 54 of these 600 prices have no net amount in cents. Their tax is one cent from the rounded one.
    assert.strictEqual(without, 54)
  })
})
