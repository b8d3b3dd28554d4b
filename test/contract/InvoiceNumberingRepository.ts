/** The contract of `InvoiceNumberingRepository`, and of the numbers that `InvoiceRepository` draws by it. */
import { InvoiceNumberingRepository, InvoiceRepository, Transaction, usualNumbering } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { atOnce, contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"
import { invoiceOf } from "./InvoiceRepository.ts"

const given = Effect.gen(function* () {
  const business = yield* newBusiness
  const invoices = yield* InvoiceRepository
  const numberings = yield* InvoiceNumberingRepository
  const insert = (issued_on = "2026-11-20") => invoices.insert(invoiceOf(business, { issued_on }), now)
  const numbers = (number?: string) =>
    Effect.map(invoices.list(business, number === undefined ? {} : { number }, wholeList), ({ items }) =>
      items.map((invoice) => invoice.number)
    )
  return { business, insert, numberings, numbers }
})

export const invoiceNumberingRepository = contract("numbers of invoices", (it) => {
  it.effect("are the usual ones until a business sets others", () =>
    Effect.gen(function* () {
      const { business, insert, numberings } = yield* given
      assert.deepStrictEqual(yield* numberings.read(business, "invoice"), usualNumbering("invoice", 0))
      yield* insert()
      assert.deepStrictEqual(yield* numberings.read(business, "invoice"), usualNumbering("invoice", 1))
    })
  )

  it.effect(
    "follow the format and year of issue; lists keep the order of issue; a search finds both kinds",
    () =>
      Effect.gen(function* () {
        const { business, insert, numberings, numbers } = yield* given
        const other = yield* given
        yield* insert()
        yield* numberings.save(business, "invoice", {
          format: "A-{YYYY}-{N:2}",
          restarts_each_year: true,
          counts: { "INV-": 1, "A-2026-": 98 }
        })
        for (const day of ["2026-11-20", "2027-01-01", "2026-12-31"]) yield* insert(day)
        yield* other.insert()
        const made = ["A-2026-100", "A-2027-01", "A-2026-99", "INV-000001"]
        assert.deepStrictEqual(yield* numbers(), made)
        assert.deepStrictEqual(yield* numbers("A-2026-"), ["A-2026-100", "A-2026-99"])
        assert.deepStrictEqual(yield* numbers("A-2026-1"), ["A-2026-100"])
        assert.deepStrictEqual(yield* numbers("INV-"), ["INV-000001"])
        assert.deepStrictEqual(yield* numbers("INV-00000"), ["INV-000001"])
        assert.deepStrictEqual((yield* numberings.read(business, "invoice")).counts, {
          "INV-": 1,
          "A-2026-": 100,
          "A-2027-": 1
        })
        assert.deepStrictEqual(yield* other.numbers(), ["INV-000001"])
      })
  )

  it.effect("have no gaps in a format, also at once and after a rollback", () =>
    Effect.gen(function* () {
      const { business, insert, numberings } = yield* given
      const transaction = yield* Transaction
      const format = { format: "RE-{N:3}", restarts_each_year: false, counts: { "INV-": 40 } }
      yield* numberings.save(business, "invoice", format)
      const failed = transaction.run(Effect.andThen(insert(), Effect.fail("rolled back" as const)))
      const stored = Effect.map(transaction.run(insert()), ({ number }) => number)
      const made = yield* atOnce(12, (index) => (index % 3 === 0 ? Effect.flip(failed) : stored))
      assert.deepStrictEqual(
        made.filter((number) => number !== "rolled back").toSorted(),
        [41, 42, 43, 44, 45, 46, 47, 48].map((count) => `RE-0${count}`)
      )
    })
  )
})
