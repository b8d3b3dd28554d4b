// Exports of the books: each file is read back by another reader, and compared with the ledger.
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Csv from "effect/encoding/Csv"
import { createHash } from "node:crypto"
import { record, refusedAs, type Answer } from "../support/TestServer.ts"
import { billing, wrongFields } from "./Billing.ts"
import { randomMonth } from "./RandomMonth.ts"

const windows1252 = new TextDecoder("windows-1252")

/** The records of a file of separated values. */
const recordsOf = (text: string, delimiter: string) =>
  Stream.make(text).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter, headers: false })),
    Stream.runCollect
  )

/** The rows of a file of separated values, by the names of its columns. */
const rowsOf = (text: string, delimiter = ",") =>
  Effect.map(recordsOf(text, delimiter), ([head = [], ...rows]) =>
    rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""])))
  )

/** The minor units of a decimal text with a point or a comma. */
const cents = (amount: string | undefined) => Math.round(Number((amount ?? "").replace(",", ".")) * 100)

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)

/** Checks that the headers of a file state the checksum of its bytes. */
const assertChecked = ({ bytes, headers }: Answer) =>
  assert.strictEqual(
    headers.get("repr-digest"),
    `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`
  )

const days = "from=2026-11-01&to=2026-11-30"

billing("exports of the books", (it) => {
  it.effect("a CSV of a random month has the sums of the ledger, in each kind", () =>
    Effect.gen(function* () {
      const { ledger, send } = yield* randomMonth(7)
      for (const [kind, column, expected] of [
        ["invoices", "total", ledger.invoiced],
        ["credit-notes", "total", ledger.credited],
        ["payments", "amount", ledger.received]
      ] as const) {
        const answer = yield* send("GET", `/exports/${kind}?${days}`)
        assert.strictEqual(answer.status, 200)
        assertChecked(answer)
        const rows = yield* rowsOf(answer.text)
        assert.strictEqual(sum(rows.map((row) => cents(row[column]))), expected, kind)
        assert.strictEqual(answer.headers.get("x-export-rows"), String(rows.length))
        assert.strictEqual(answer.headers.get("x-export-sums"), `EUR ${(expected / 100).toFixed(2)}`)
      }
      const journal = yield* rowsOf((yield* send("GET", `/exports/journal?${days}`)).text)
      const account = (name: string) =>
        sum(
          journal.map(
            ({ amount, credit, debit }) =>
              (debit === name ? cents(amount) : 0) - (credit === name ? cents(amount) : 0)
          )
        )
      assert.strictEqual(account("receivable"), ledger.due - ledger.toRefund)
      assert.strictEqual(account("revenue"), -(ledger.invoiced + ledger.credited))
      const order = journal.map(({ day }) => day ?? "")
      assert.deepStrictEqual(order, order.toSorted())
    })
  )

  it.effect("a DATEV batch of a random month balances with the ledger", () =>
    Effect.gen(function* () {
      const { ledger, send } = yield* randomMonth(11)
      const answer = yield* send("GET", `/exports/journal?${days}&format=datev`)
      assertChecked(answer)
      assert.include(answer.headers.get("content-disposition"), 'filename="EXTF_journal-2026-11-01')
      const text = windows1252.decode(answer.bytes)
      const [head = [], columns = [], ...rows] = yield* recordsOf(text, ";")
      assert.deepStrictEqual(head.slice(0, 5), ["EXTF", "700", "21", "Buchungsstapel", "13"])
      assert.deepStrictEqual(head.slice(12, 16), ["20260101", "4", "20261101", "20261130"])
      assert.lengthOf(head, 31)
      assert.lengthOf(columns, 125)
      const balance = new Map<string, number>()
      for (const row of rows) {
        assert.lengthOf(row, 125)
        const [amount, side] = row
        const signed = (side === "S" ? 1 : -1) * cents(amount)
        assert.match(amount ?? "", /^\d+,\d\d$/u)
        for (const [account = "", sign] of [
          [row[6], 1],
          [row[7], -1]
        ] as const)
          balance.set(account, (balance.get(account) ?? 0) + sign * signed)
      }
      const of = (...accounts: ReadonlyArray<string>) => sum(accounts.map((one) => balance.get(one) ?? 0))
      assert.strictEqual(of("1410", "10042"), ledger.due - ledger.toRefund)
      assert.strictEqual(of("8400", "8300", "8200"), -(ledger.invoiced + ledger.credited))
      assert.strictEqual(of("1000", "1200", "1360"), ledger.received)
      assert.strictEqual(sum([...balance.values()]), 0)
    })
  )

  it.effect("a QuickBooks file has balanced transactions whose receivables are those of the ledger", () =>
    Effect.gen(function* () {
      const { ledger, send } = yield* randomMonth(13)
      const answer = yield* send("GET", `/exports/journal?${days}&format=quickbooks`)
      assertChecked(answer)
      const rows = windows1252
        .decode(answer.bytes)
        .split("\r\n")
        .map((row) => row.split("\t"))
      let open = 0
      const receivable: Array<number> = []
      for (const [kind, , , account, , amount] of rows.slice(3)) {
        if (kind === "ENDTRNS") assert.strictEqual(open, 0)
        if (kind !== "TRNS" && kind !== "SPL") continue
        open += cents(amount)
        if (account === "Accounts Receivable") receivable.push(cents(amount))
      }
      assert.strictEqual(sum(receivable), ledger.due - ledger.toRefund)
    })
  )

  it.effect("a file for Xero has the lines of the invoices, and tax that adds up to the ledger's", () =>
    Effect.gen(function* () {
      const { ledger, send } = yield* randomMonth(17)
      const answer = yield* send("GET", `/exports/invoices?${days}&format=xero`)
      assertChecked(answer)
      const rows = yield* rowsOf(answer.text)
      const amounts = rows.map(
        (row) => Math.round(Number(row["*Quantity"]) * cents(row["*UnitAmount"])) + cents(row["TaxAmount"])
      )
      assert.strictEqual(sum(amounts), ledger.invoiced)
      assert.strictEqual(answer.headers.get("x-export-sums"), `EUR ${(ledger.invoiced / 100).toFixed(2)}`)
    })
  )

  it.effect("the report of taxes has the sums of the ledger by rate and country", () =>
    Effect.gen(function* () {
      const { ledger, send } = yield* randomMonth(19)
      const report = record(yield* send("GET", `/reports/tax?${days}&period=quarter`))
      const rows = report["rows"] as ReadonlyArray<Readonly<Record<string, unknown>>>
      const [total] = report["totals"] as ReadonlyArray<Readonly<Record<string, unknown>>>
      assert.strictEqual(Math.round(Number(total?.["total"]) * 100), ledger.invoiced + ledger.credited)
      for (const name of ["net", "tax"])
        assert.strictEqual(
          sum(rows.map((row) => cents(String(row[name])))),
          cents(String(total?.[name])),
          name
        )
      assert.isTrue(rows.every(({ period }) => period === "2026-Q4"))
      assert.includeMembers(
        rows.map(({ country, tax_rate }) => `${String(country)} ${String(tax_rate)}`),
        ["DE 19", "null 7"]
      )
    })
  )

  it.effect("several taxes on a line are apart in each export and report, and their base counts once", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* randomMonth(0)
      const quebec = [
        { name: "GST", rate: 5 },
        { name: "QST", rate: 9.975 }
      ]
      const accounting = {
        quickbooks: { tax: "Taxes", tax_accounts: [{ name: "QST", account: "QST Payable" }] }
      }
      record(yield* send("PATCH", "/settings/business", { accounting }))
      const items = [{ description: "Ride", unit_price: 100, taxes: quebec }]
      const made = yield* invoice({
        currency: "CAD",
        items: [...items, { description: "Book", unit_price: 20, taxes: [{ name: "GST", rate: 5 }] }]
      })
      const path = `/invoices/${String(made["invoice_id"])}`
      record(yield* send("POST", `${path}/issue`))
      const part = [{ description: "Late", unit_price: 40, tax_rate: 14.975 }]
      record(yield* send("POST", `${path}/credit-notes`, { items: part }))
      const lost = yield* invoice({ currency: "CAD", items })
      record(yield* send("POST", `/invoices/${String(lost["invoice_id"])}/void`))

      const columnOf = (kind: string, column: string) =>
        Effect.map(
          Effect.flatMap(send("GET", `/exports/${kind}?${days}`), ({ text }) => rowsOf(text)),
          (rows) => rows.map((row) => row[column])
        )
      assert.deepStrictEqual(yield* columnOf("invoices", "taxes"), [
        "GST 5%=6.00 | QST 9.975%=9.98",
        "GST 5%=5.00 | QST 9.975%=9.98",
        "GST 5%=-5.00 | QST 9.975%=-9.98"
      ])
      assert.deepStrictEqual(yield* columnOf("credit-notes", "taxes"), ["GST 5%=-2.00 | QST 9.975%=-3.99"])
      assert.deepStrictEqual((yield* columnOf("journal", "taxes")).slice(0, 2), [
        "GST 5%=5.00 | QST 9.975%=9.98",
        "GST 5%=1.00"
      ])
      const iif = (yield* send("GET", `/exports/journal?${days}&format=quickbooks`)).text
      const taxed = iif
        .split("\r\n")
        .map((row) => row.split("\t"))
        .filter(([kind, , , account]) => kind === "SPL" && account !== "Sales")
      const owed = (account: string) =>
        sum(taxed.flatMap((row) => (row[3] === account ? [cents(row[5])] : [])))
      assert.deepStrictEqual([owed("QST Payable"), owed("Taxes")], [-599, -400])
      assert.include(iif, "\tQST Payable\tINV-000001\t-9.98\tINV-000001\tQST 9.975%\r\n")
      const { rows, totals } = record(yield* send("GET", `/reports/tax?${days}`))
      assert.deepStrictEqual(
        (rows as ReadonlyArray<Readonly<Record<string, unknown>>>).map(({ net, tax, tax_name, tax_rate }) => [
          tax_name,
          tax_rate,
          net,
          tax
        ]),
        [
          ["GST", 5, 80, 4],
          ["QST", 9.975, 60, 5.99]
        ]
      )
      assert.deepStrictEqual(totals, [{ currency: "CAD", net: 80, tax: 9.99, total: 89.99 }])
      const taxes = record(yield* send("GET", `/reports/taxes?${days}`))
      const month = { month: "2026-11", currency: "CAD" }
      assert.deepStrictEqual(taxes["rows"], [
        { ...month, name: "GST", rate: 5, taxable: 80, tax: 4 },
        { ...month, name: "QST", rate: 9.975, taxable: 60, tax: 5.99 }
      ])
      assert.deepStrictEqual(taxes["totals"], [{ currency: "CAD", taxable: 80, tax: 9.99 }])
    })
  )

  it.effect(
    "a German spreadsheet gets semicolons, decimal commas and Windows-1252, and no text is a formula",
    () =>
      Effect.gen(function* () {
        const { customer, invoice, send } = yield* randomMonth(0)
        const { customer_id } = yield* customer({ name: '=HYPERLINK("x")', company: "Müller & Söhne €" })
        const other = yield* customer({ name: "-2+3", email: "formula@example.com" })
        for (const id of [customer_id, other["customer_id"]])
          yield* invoice({
            customer_id: id,
            currency: "EUR",
            items: [{ description: "Ride", unit_price: 1234.5 }]
          })
        const german = `/exports/invoices?${days}&delimiter=semicolon&encoding=windows-1252`
        const answer = yield* send("GET", german)
        assert.strictEqual(answer.headers.get("content-type"), "text/csv; charset=windows-1252")
        const rows = yield* rowsOf(windows1252.decode(answer.bytes), ";")
        assert.deepStrictEqual(
          rows.map(({ customer: name, total }) => [name, total]),
          [
            ["Müller & Söhne €", "1234,50"],
            ["'-2+3", "1234,50"]
          ]
        )
        const unicode = yield* send("GET", `/exports/invoices?${days}`)
        assert.deepStrictEqual(Array.from(unicode.bytes.subarray(0, 3)), [0xef, 0xbb, 0xbf])
      })
  )

  it.effect("a request names each wrong parameter", () =>
    Effect.gen(function* () {
      const { send } = yield* randomMonth(0)
      const wrong = (path: string) => Effect.map(send("GET", `/exports/${path}`), wrongFields)
      assert.deepStrictEqual(yield* wrong("invoices?from=x&format=sage"), {
        from: "invalid",
        to: "required",
        format: "unknown_value"
      })
      assert.deepStrictEqual(
        yield* wrong("payments?from=2026-11-30&to=2026-11-01&format=xero&delimiter=tab"),
        {
          to: "out_of_range",
          format: "unknown_value",
          delimiter: "invalid"
        }
      )
      assert.deepStrictEqual(yield* wrong("journal?from=2026-12-31&to=2027-01-01&format=datev"), {
        to: "out_of_range"
      })
      refusedAs(yield* send("GET", `/exports/trips?${days}`), 404, "not_found")
    })
  )
})
