/** Reading bank statements in CSV, and proposing the invoices that their entries pay. */
import {
  type BankEntry,
  BankEntryId,
  BankStatementId,
  BusinessId,
  Currency,
  InvoiceId,
  type OpenInvoice,
  StatementColumns
} from "@livery/domain"
import { entriesOfCsv } from "../../src/billing/bank/CsvStatement.ts"
import { proposalsFor } from "../../src/billing/bank/Proposals.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Result, Schema } from "effect"

const [euro, franc] = [Currency.make("EUR"), Currency.make("CHF")]

const columnsOf = Schema.decodeSync(StatementColumns)

const columns = columnsOf({
  day: "Day",
  amount: "Amount",
  currency: "Currency",
  name: "Name",
  reference: "Text"
})

const read = (text: string, of = columns) => entriesOfCsv(text, of, franc)

/** The amounts of entries, negative for debits, with their currencies. */
const amountsOf = (text: string) =>
  Effect.map(read(text), ({ entries, faults }) => {
    assert.deepStrictEqual(faults, [])
    return entries.map(
      ({ amount_minor, currency, direction }) =>
        `${direction === "debit" ? "-" : ""}${amount_minor} ${currency}`
    )
  })

const faultsOf = (text: string) =>
  Effect.map(read(text), ({ faults }) => faults.map(({ field, issue }) => `${field} ${issue}`))

describe("a bank statement in CSV", () => {
  it.effect("has amounts with either decimal mark, marks between the thousands, and signs", () =>
    Effect.gen(function* () {
      const german = [
        "Day;Name;Text;Amount;Currency",
        "05.11.2026;A;;1.234,50;EUR",
        "5.11.26;A;;1.000;EUR",
        "05/11/2026;A;;-3,00;",
        "2026-11-05;A;;+7;eur"
      ]
      assert.deepStrictEqual(yield* amountsOf(german.join("\r\n")), [
        "123450 EUR",
        "100000 EUR",
        "-300 CHF",
        "700 EUR"
      ])
      const english =
        'Day,Name,Text,Amount,Currency\n2026-11-05,A,,"1,234.50",USD\n2026-11-05,A,,"1,000",USD\n'
      assert.deepStrictEqual(yield* amountsOf(english), ["123450 USD", "100000 USD"])
      const swiss =
        "Day\tName\tText\tAmount\tCurrency\n2026-11-05\tA\t\t1'234.50\tCHF\n2026-11-05\tA\t\t−1 000.00\tCHF"
      assert.deepStrictEqual(yield* amountsOf(swiss), ["123450 CHF", "-100000 CHF"])
      const dinar = "Day,Name,Text,Amount,Currency\n2026-11-05,A,,1.234,KWD\n2026-11-05,A,,100,JPY\n"
      assert.deepStrictEqual(yield* amountsOf(dinar), ["1234 KWD", "100 JPY"])
    })
  )

  it.effect(
    "names each wrong line, counted in the lines of the file, also after a text of several lines",
    () =>
      Effect.gen(function* () {
        const head = "Account;1\n\nday;NAME;Text;Amount;Currency\n"
        assert.deepStrictEqual(
          yield* faultsOf(
            `${head}05.11.2026;A;"two\nlines";1,00;EUR\n31.02.2026;A;;x;EUR\n05.11.2026;A;;1,005;EUR`
          ),
          ["lines.6.amount invalid", "lines.6.day invalid", "lines.7.amount invalid"]
        )
        assert.deepStrictEqual(yield* faultsOf(`${head}05.11.2026;A;;1,00;XXQ\n;A;;1e3;EUR`), [
          "lines.4.currency unknown_value",
          "lines.5.amount invalid",
          "lines.5.day invalid"
        ])
        assert.deepStrictEqual(yield* faultsOf(`${head}05.11.2026;A;;;EUR\n;;;;`), ["lines.4.amount invalid"])
      })
  )

  it.effect("is refused as a whole without its columns, or with a quotation mark that is not closed", () =>
    Effect.gen(function* () {
      const refused = (text: string, of = columns) =>
        Effect.map(Effect.result(read(text, of)), (result) =>
          Result.isFailure(result) ? result.failure.issues.map(({ field, issue }) => `${field} ${issue}`) : []
        )
      assert.deepStrictEqual(yield* refused("a;b\n1;2"), ["file invalid"])
      assert.deepStrictEqual(yield* refused(""), ["file invalid"])
      assert.deepStrictEqual(yield* refused("x", columnsOf({ name: "Name" })), [
        "day required",
        "amount required"
      ])
      const open = yield* refused('Day;Name;Text;Amount;Currency\n05.11.2026;"A;;1,00;EUR\n')
      assert.lengthOf(open, 1)
      assert.match(open[0] ?? "", /^lines\.\d+ invalid$/u)
    })
  )

  it.effect("has texts without control characters, of a limited length", () =>
    Effect.gen(function* () {
      const { entries } = yield* read(
        `Day;Name;Text;Amount;Currency\n05.11.2026;"Jörg\u0007  \nMüller";"${"é".repeat(2000)}";1,00;EUR`
      )
      assert.deepInclude(entries[0], { payer_name: "Jörg Müller", text: "é".repeat(1000) })
    })
  )
})

const at = DateTime.makeUnsafe("2026-11-05T10:00:00Z")

const entry = (changes: Partial<BankEntry>): BankEntry => ({
  entry_id: BankEntryId.make(1),
  statement_id: BankStatementId.make(1),
  business_id: BusinessId.make(1),
  status: "open",
  direction: "credit",
  booked_on: "2026-11-05",
  amount_minor: 10_000,
  currency: euro,
  payer_name: null,
  text: null,
  structured_reference: null,
  bank_reference: null,
  fingerprint: "",
  remittance_id: null,
  created_at: at,
  ...changes
})

const open = (invoice_id: number, changes: Partial<OpenInvoice> = {}): OpenInvoice => ({
  invoice_id: InvoiceId.make(invoice_id),
  number: `INV-${String(invoice_id).padStart(6, "0")}`,
  currency: euro,
  due_minor: 5000,
  name: null,
  company: null,
  ...changes
})

/** The proposed invoices, each with its reasons. */
const proposed = (changes: Partial<BankEntry>, invoices: ReadonlyArray<OpenInvoice>) =>
  proposalsFor([entry(changes)], invoices).flatMap((all) =>
    all.map(({ invoice_id, reasons }) => `${invoice_id}: ${reasons.join(", ")}`)
  )

describe("the proposals for an entry of a bank statement", () => {
  it("find a number however it is written, and no other number that contains it", () => {
    const invoices = [open(12), open(120), open(3, { number: "2026-0003" })]
    for (const text of ["INV-000012", "Rg. inv 000012, danke", "inv000012", "INV - 00 00 12 / 5"])
      assert.deepStrictEqual(proposed({ text }, invoices), ["12: reference"], text)
    assert.deepStrictEqual(proposed({ text: "INV-0000120" }, invoices), [])
    assert.deepStrictEqual(proposed({ text: "INV-000120 and INV-000012" }, invoices), [
      "12: reference",
      "120: reference"
    ])
    assert.deepStrictEqual(proposed({ text: "2026-0003" }, invoices), ["3: reference"])
    assert.deepStrictEqual(proposed({ text: "12026-0003" }, invoices), [])
    assert.deepStrictEqual(proposed({ structured_reference: "RF18INV000012" }, invoices), ["12: reference"])
    assert.deepStrictEqual(proposed({ structured_reference: "RF18 INV0 0012 0" }, invoices), [
      "120: reference"
    ])
  })

  it("find the customer by name or company, whatever the order, the case and the accents", () => {
    const invoices = [
      open(1, { name: "Jörg Müller" }),
      open(2, { name: "Ada", company: "Société Générale SA" }),
      open(3, { name: "Al" })
    ]
    assert.deepStrictEqual(proposed({ payer_name: "MUELLER, JOERG" }, invoices), ["1: name"])
    assert.deepStrictEqual(proposed({ payer_name: "Herr Jorg Muller" }, invoices), ["1: name"])
    assert.deepStrictEqual(proposed({ payer_name: "Societe Generale" }, invoices), ["2: name"])
    assert.deepStrictEqual(proposed({ payer_name: "Müller" }, invoices), [])
    assert.deepStrictEqual(proposed({ payer_name: "Al" }, invoices), [])
  })

  it("come in the order of certainty, the oldest of equally sure ones first, and at most ten", () => {
    const invoices = [
      open(9, { due_minor: 10_000 }),
      open(8, { name: "Acme" }),
      open(7, { due_minor: 10_000, name: "Acme" }),
      open(6),
      open(5, { due_minor: 10_000 }),
      open(4, { due_minor: 10_000, currency: franc })
    ]
    assert.deepStrictEqual(proposed({ text: "INV-000006", payer_name: "ACME" }, invoices), [
      "6: reference",
      "7: amount, name",
      "5: amount",
      "9: amount",
      "8: name"
    ])
    const many = Array.from({ length: 30 }, (_, index) => open(index + 1, { due_minor: 10_000 }))
    assert.lengthOf(proposed({}, many), 10)
    assert.deepStrictEqual(proposed({ status: "confirmed" }, many), [])
  })
})
