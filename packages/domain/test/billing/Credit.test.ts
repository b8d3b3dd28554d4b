import { Currency, type InvoiceLine } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { creditLineOf, creditSums, isCovered, restLines } from "../../src/billing/ledger/Credit.ts"
import { netOf, sumsOf } from "../../src/billing/invoice/InvoiceLine.ts"

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
