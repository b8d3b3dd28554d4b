import { Currency, type InvoiceLine } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  creditLineOf,
  creditSums,
  isCovered,
  restLines,
  settledCredit
} from "../../src/billing/ledger/Credit.ts"
import { netOf, settled, sumsOf, taxesOf } from "../../src/billing/invoice/InvoiceSums.ts"

const currency = Currency.make("USD")

const lineOf = (unit_price_minor: number, quantity: number, tax_rate: number): InvoiceLine => ({
  description: "Transfer",
  quantity,
  unit_price_minor,
  tax_rate,
  net_minor: netOf(unit_price_minor, quantity, currency),
  trip_id: null
})

const invoiceOf = (...lines: ReadonlyArray<InvoiceLine>) => ({ currency, number: "INV-000001", lines })

const Line = Schema.Tuple([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_999 })),
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
  Schema.Literals([0, 7.7, 8.1, 19])
])

/** A line whose quantity may be negative. */
const DeductingLine = Schema.Tuple([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 999 })),
  Schema.Literals([1, 2, 3, -1, -2]),
  Schema.Literals([0, 7.7, 19])
])

/** A line whose price contains its taxes: one, or two with names. */
const GrossLine = Schema.Tuple([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_999 })),
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
  Schema.Literals([7.7, 8.1, 19, "quebec", "net"])
])

const grossLineOf = ([price, quantity, tax]: typeof GrossLine.Type): InvoiceLine =>
  tax === "quebec"
    ? {
        ...lineOf(price, quantity, 14.975),
        tax_included: true,
        taxes: [
          { name: "GST", rate: 5 },
          { name: "QST", rate: 9.975 }
        ]
      }
    : tax === "net"
      ? lineOf(price, quantity, 19)
      : { ...lineOf(price, quantity, tax), tax_included: true }

const priceOf = ({ quantity, unit_price_minor }: InvoiceLine) => netOf(unit_price_minor, quantity, currency)

describe("credit notes of an invoice", () => {
  it.prop(
    "add up to its total and to its tax of each rate, in any number",
    {
      lines: Schema.NonEmptyArray(Line),
      parts: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_999 })))
    },
    ({ lines, parts }) => {
      const invoice = invoiceOf(...lines.map(([price, quantity, rate]) => lineOf(price, quantity, rate)))
      const [first] = invoice.lines
      const notes: Array<{ readonly lines: ReadonlyArray<InvoiceLine> }> = []
      let credited = 0
      const take = (taken: ReadonlyArray<InvoiceLine>) => {
        const sums = creditSums(invoice, notes, taken)
        const plain = sumsOf(taken, currency)
        assert.strictEqual(sums.subtotal_minor, plain.subtotal_minor)
        assert.isAtMost(
          Math.abs(sums.tax_minor - plain.tax_minor),
          new Set(taken.map(({ tax_rate }) => tax_rate)).size
        )
        credited -= sums.total_minor
        notes.push({ lines: taken })
      }
      for (const part of parts) {
        const taken = [creditLineOf(lineOf(part, 1, first?.tax_rate ?? 0))]
        if (isCovered(invoice, notes, taken)) take(taken)
      }
      const rest = restLines(invoice, notes)
      assert.isTrue(isCovered(invoice, notes, rest))
      take(rest)
      assert.strictEqual(credited, sumsOf(invoice.lines, currency).total_minor)
      assert.deepStrictEqual(restLines(invoice, notes), [])
    }
  )

  it.prop(
    "never exceed its total, also with deductions at other rates",
    { lines: Schema.NonEmptyArray(DeductingLine), parts: Schema.NonEmptyArray(DeductingLine) },
    ({ lines, parts }) => {
      const invoice = invoiceOf(...lines.map(([price, quantity, rate]) => lineOf(price, quantity, rate)))
      const { subtotal_minor, total_minor } = sumsOf(invoice.lines, currency)
      if (total_minor < 0 || subtotal_minor < 0) return
      const notes: Array<{ readonly lines: ReadonlyArray<InvoiceLine> }> = []
      let rest = total_minor
      const take = (taken: ReadonlyArray<InvoiceLine>) => {
        rest += creditSums(invoice, notes, taken).total_minor
        notes.push({ lines: taken })
        assert.isAtLeast(rest, 0)
      }
      for (const [price, quantity, rate] of parts) {
        const taken = [creditLineOf(lineOf(price, quantity, rate))]
        if (isCovered(invoice, notes, taken)) take(taken)
      }
      take(restLines(invoice, notes))
      assert.strictEqual(rest, 0)
    }
  )

  it.prop(
    "of prices with tax add up to its total, to each of its taxes and to its net amount, in any number",
    {
      lines: Schema.NonEmptyArray(GrossLine),
      parts: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int]))
    },
    ({ lines, parts }) => {
      const charged = settled(lines.map(grossLineOf), currency)
      const invoice = invoiceOf(...charged)
      const notes: Array<{ readonly lines: ReadonlyArray<InvoiceLine> }> = []
      const taken: Array<ReturnType<typeof creditSums>> = []
      const take = (credited: ReadonlyArray<InvoiceLine>) => {
        const sums = creditSums(invoice, notes, credited)
        taken.push(sums)
        // The customer gets back what the price of the note says.
        const prices = credited.reduce((all, line) => all + (line.tax_included ? priceOf(line) : 0), 0)
        if (credited.every(({ tax_included }) => tax_included === true))
          assert.strictEqual(sums.total_minor, prices)
        notes.push({ lines: credited })
      }
      for (const [place, amount] of parts) {
        const line = charged[Math.abs(place) % charged.length]
        if (line === undefined) return
        const part = { ...line, quantity: 1, unit_price_minor: 1 + (Math.abs(amount) % 4_000) }
        const credited = settledCredit(invoice, notes, [
          creditLineOf({ ...part, net_minor: part.unit_price_minor })
        ])
        if (isCovered(invoice, notes, credited)) take(credited)
      }
      const rest = restLines(invoice, notes)
      if (rest.length > 0) take(rest)
      const { subtotal_minor, tax_minor, total_minor } = sumsOf(charged, currency)
      const sumOf = (of: (sums: ReturnType<typeof creditSums>) => number) =>
        taken.reduce((all, sums) => all - of(sums), 0)
      assert.strictEqual(
        sumOf((sums) => sums.total_minor),
        total_minor
      )
      assert.strictEqual(
        sumOf((sums) => sums.subtotal_minor),
        subtotal_minor
      )
      assert.strictEqual(
        sumOf((sums) => sums.tax_minor),
        tax_minor
      )
      for (const { name, rate, tax_minor: tax } of taxesOf(charged, currency))
        assert.strictEqual(
          sumOf(
            ({ taxes }) => taxes.find((each) => each.name === name && each.rate === rate)?.tax_minor ?? 0
          ),
          tax
        )
      assert.deepStrictEqual(restLines(invoice, notes), [])
    }
  )

  it("credit at most what the invoice charges at each rate, and nothing at any other rate", () => {
    const invoice = invoiceOf(lineOf(1_000, 2, 19), lineOf(500, 1, 0), lineOf(300, -1, 7.7))
    const taken = (price: number, quantity: number, rate: number) =>
      isCovered(invoice, [], [creditLineOf(lineOf(price, quantity, rate))])
    assert.isTrue(taken(2_000, 1, 19))
    assert.isFalse(taken(2_001, 1, 19))
    assert.isTrue(taken(500, 1, 0))
    assert.isFalse(taken(501, 1, 0))
    assert.isFalse(taken(1, 1, 8.1))
    assert.isTrue(taken(300, -1, 7.7))
    assert.isFalse(taken(301, -1, 7.7))
    assert.isFalse(taken(1, 1, 7.7))
  })
})
