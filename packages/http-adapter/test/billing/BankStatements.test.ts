/** Bank statements over HTTP: reading files, proposals, and decisions. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { submitTo } from "../uploads/Submission.ts"
import { assertStatuses, biller, billing, billingPg, line, wrongFields } from "./Billing.ts"

const german = { day: "Buchungstag", amount: "Betrag", currency: "Währung", name: "Name", reference: "Zweck" }

const csv = (...lines: ReadonlyArray<string>) =>
  ["Kontoauszug;;", "", "Buchungstag;Name;Zweck;Betrag;Währung", ...lines].join("\r\n")

/** A biller with a customer, and functions that import files. */
const given = Effect.gen(function* () {
  const server = yield* openServer()
  const business = yield* biller(server)
  const { customer, invoice, send } = business
  const { customer_id } = yield* customer({ name: "Jörg Müller" })
  const importFile = (file: string | Blob, fields: object = german) => {
    const form = new FormData()
    form.set("file", typeof file === "string" ? new Blob([file]) : file, "statement")
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
    return submitTo(server, "/bank-statements", business.key, form)
  }
  const entriesOf = (statementId: unknown, query = "") =>
    Effect.map(send("GET", `/bank-statements/${String(statementId)}/entries${query}`), records)
  return {
    ...business,
    bill: (unit_price: number, change: object = {}) =>
      invoice({ customer_id, items: [{ ...line, unit_price }], ...change }),
    importFile,
    entriesOf,
    imported: (file: string) => Effect.map(importFile(file), record),
    decide: (entry: Readonly<Record<string, unknown>>, decision: string, body?: object) =>
      send(
        "POST",
        `/bank-statements/${String(entry["statement_id"])}/entries/${String(entry["entry_id"])}/${decision}`,
        body
      )
  }
})

const amount = (value: string, currency = "USD") => `<Amt Ccy="${currency}">${value}</Amt>`

/** A statement in a version of camt.053: a transfer, a batch of two, a debit and a pending entry. */
const camt = (version: "02" | "08", prefix = "") => {
  const isNew = version === "08"
  const status = (code: string) => `<Sts>${isNew ? `<Cd>${code}</Cd>` : code}</Sts>`
  const payer = (name: string) =>
    `<RltdPties><Dbtr>${isNew ? `<Pty><Nm>${name}</Nm></Pty>` : `<Nm>${name}</Nm>`}</Dbtr></RltdPties>`
  const entry = (value: string, kind: string, reference: string, details: string, state = "BOOK") =>
    `<Ntry>${amount(value)}<CdtDbtInd>${kind}</CdtDbtInd>${status(state)}<BookgDt><Dt>2026-11-05</Dt></BookgDt>` +
    `<AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls>${details}</NtryDtls></Ntry>`
  const part = (value: string, name: string, remittance: string) =>
    `<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><AmtDtls><TxAmt>${amount(value)}</TxAmt></AmtDtls>` +
    `${payer(name)}<RmtInf>${remittance}</RmtInf></TxDtls>`
  const xml =
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><Stmt>` +
    `<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>` +
    entry(
      "100.00",
      "CRDT",
      "B1",
      part("100.00", "Joerg Mueller", "<Ustrd>Invoice INV-000001 &amp; thanks</Ustrd>")
    ) +
    entry(
      "50.00",
      "CRDT",
      "B2",
      part("20.00", "One", "<Ustrd>first</Ustrd>") +
        part("30.00", "Two", "<Strd><CdtrRefInf><Ref>RF18INV000002</Ref></CdtrRefInf></Strd>")
    ) +
    entry("7.00", "DBIT", "B3", "") +
    entry("9.00", "CRDT", "B4", "", "PDNG") +
    `</Stmt></BkToCstmrStmt></Document>`
  return `<?xml version="1.0" encoding="UTF-8"?>${prefix}${xml}`
}

billing("a bank statement", (it) => {
  for (const version of ["02", "08"] as const)
    it.effect(`in camt.053.001.${version} gives its booked entries, with the parts of a batch`, () =>
      Effect.gen(function* () {
        const { bill, entriesOf, imported } = yield* given
        const [one, two] = [yield* bill(100), yield* bill(30)]
        const statement = yield* imported(camt(version))
        assert.deepInclude(statement, {
          format: "camt.053",
          account: "DE89370400440532013000",
          read_count: 4,
          entry_count: 4,
          open_count: 3
        })
        const entries = yield* entriesOf(statement["statement_id"])
        assert.deepInclude(entries[0], {
          status: "open",
          direction: "credit",
          booked_on: "2026-11-05",
          amount: 100,
          currency: "USD",
          payer_name: "Joerg Mueller",
          text: "Invoice INV-000001 & thanks",
          bank_reference: "B1",
          structured_reference: null
        })
        const proposed = { customer_name: "Jörg Müller" }
        const { invoice_id } = two
        assert.deepStrictEqual<unknown>(entries[0]?.["proposals"], [
          {
            ...proposed,
            invoice_id: one["invoice_id"],
            number: "INV-000001",
            amount_due: 100,
            reasons: ["reference", "amount", "name"]
          },
          { ...proposed, invoice_id, number: "INV-000002", amount_due: 30, reasons: ["name"] }
        ])
        assert.deepStrictEqual(
          entries.map((entry) => [entry["amount"], entry["payer_name"], entry["direction"], entry["status"]]),
          [
            [100, "Joerg Mueller", "credit", "open"],
            [20, "One", "credit", "open"],
            [30, "Two", "credit", "open"],
            [7, null, "debit", "ignored"]
          ]
        )
        assert.deepInclude((entries[2]?.["proposals"] as ReadonlyArray<object> | undefined)?.[0], {
          invoice_id,
          reasons: ["reference", "amount"]
        })
      })
    )

  it.effect(
    "in CSV is read with its delimiter, decimal comma and encoding, below the lines before its header",
    () =>
      Effect.gen(function* () {
        const { bill, entriesOf, importFile, imported, send } = yield* given
        yield* bill(1234.5)
        const file = csv('05.11.2026;"Müller, Jörg";"Danke;";1.234,50;USD', "6.11.26;Bank;Gebühr;-3,00;")
        const latin = new Blob([Uint8Array.from(file, (letter) => letter.charCodeAt(0))])
        const statement = record(yield* importFile(latin))
        assert.deepInclude(statement, { format: "csv", entry_count: 2, open_count: 1 })
        const [entry, fee] = yield* entriesOf(statement["statement_id"])
        assert.deepInclude(entry, { payer_name: "Müller, Jörg", text: "Danke;", amount: 1234.5 })
        assert.deepInclude((entry?.["proposals"] as ReadonlyArray<object> | undefined)?.[0], {
          reasons: ["amount", "name"]
        })
        assert.deepInclude(fee, { booked_on: "2026-11-06", amount: 3, direction: "debit", status: "ignored" })
        assert.lengthOf(yield* entriesOf(statement["statement_id"], "?status=open"), 1)
        yield* imported(csv("07.11.2026;A;;1,00;USD"))
        assert.lengthOf(records(yield* send("GET", "/bank-statements")), 2)
      })
  )

  it.effect(
    "that is imported again changes nothing, and only the new entries of a later one are stored",
    () =>
      Effect.gen(function* () {
        const { entriesOf, imported, send } = yield* given
        const twins = ["05.11.2026;A;x;1,00;USD", "05.11.2026;A;x;1,00;USD"]
        const first = yield* imported(csv(...twins))
        assert.deepInclude(first, { entry_count: 2 })
        assert.deepStrictEqual(yield* imported(csv(...twins)), first)
        assert.lengthOf(records(yield* send("GET", "/bank-statements")), 1)
        const later = yield* imported(csv(...twins, "06.11.2026;A;x;1,00;USD"))
        assert.deepInclude(later, { read_count: 3, entry_count: 1 })
        assert.deepInclude((yield* entriesOf(later["statement_id"]))[0], { booked_on: "2026-11-06" })
      })
  )

  it.effect("with a wrong line or entry is refused as a whole, with each of them named", () =>
    Effect.gen(function* () {
      const { importFile, send } = yield* given
      assert.deepStrictEqual(
        wrongFields(
          yield* importFile(csv("05.11.2026;A;x;1,00;USD", "31.02.2026;A;x;1,2,3;USD", ";A;x;1;XXQ"))
        ),
        {
          "lines.5.amount": "invalid",
          "lines.5.day": "invalid",
          "lines.6.currency": "unknown_value",
          "lines.6.day": "invalid"
        }
      )
      assert.deepStrictEqual(wrongFields(yield* importFile(csv(), { day: "Tag" })), { amount: "required" })
      assert.deepStrictEqual(wrongFields(yield* importFile("a;b\n1;2")), { file: "invalid" })
      assert.deepStrictEqual(wrongFields(yield* importFile(csv())), { file: "required" })
      assert.deepStrictEqual(
        wrongFields(yield* importFile(camt("08").replace("20.00</Amt></TxAmt>", "</"))),
        {
          "lines.1": "invalid"
        }
      )
      assert.deepStrictEqual(
        wrongFields(yield* importFile(camt("02", '<!DOCTYPE Document [<!ENTITY a "aaaa">]>'))),
        { "lines.1": "invalid" }
      )
      assert.deepStrictEqual(wrongFields(yield* importFile(camt("08").replace(">100.00<", ">1e2<"))), {
        "entries.1.Amt": "invalid"
      })
      assert.deepStrictEqual(wrongFields(yield* importFile("<Other/>")), { file: "invalid" })
      assert.strictEqual((yield* importFile("x".repeat(5_000_001))).status, 413)
      assert.lengthOf(records(yield* send("GET", "/bank-statements")), 0)
    })
  )

  it.effect("has entries that a person confirms or ignores, and a confirmed one is a payment", () =>
    Effect.gen(function* () {
      const { bill, decide, entriesOf, imported, read, send } = yield* given
      const { invoice_id } = yield* bill(100)
      const { statement_id } = yield* imported(
        csv("05.11.2026;A;x;120,00;USD", "05.11.2026;B;y;5,00;USD", "05.11.2026;B;y;-5,00;USD")
      )
      const [one, two, debit] = yield* entriesOf(statement_id)
      if (one === undefined || two === undefined || debit === undefined) return assert.fail("no entries")
      const allocations = [{ invoice_id, amount: 100 }]
      refusedAs(yield* decide(debit, "confirm", { allocations }), 409, "conflict")
      assert.deepStrictEqual(
        wrongFields(yield* decide(one, "confirm", { allocations: [{ invoice_id, amount: 101 }] })),
        { "allocations.0.amount": "out_of_range" }
      )
      assert.deepInclude(record(yield* decide(one, "ignore")), { status: "ignored", proposals: [] })
      const confirmed = record(yield* decide(one, "confirm", { allocations }))
      assert.deepInclude(confirmed, { status: "confirmed" })
      const payment = record(yield* send("GET", `/payments/${String(confirmed["remittance_id"])}`))
      assert.deepInclude(payment, { amount: 120, unallocated_amount: 20, reference: "x" })
      assert.deepInclude(yield* read(invoice_id), { status: "paid", amount_to_refund: 20 })
      refusedAs(yield* decide(one, "confirm", { allocations }), 409, "conflict")
      refusedAs(yield* decide(one, "ignore"), 409, "conflict")
      refusedAs(yield* decide({ ...two, entry_id: 999_999 }, "ignore"), 404, "not_found")
      assert.lengthOf(yield* entriesOf(statement_id, "?status=confirmed"), 1)
    })
  )

  it.effect("has an entry that is dated in the future, which cannot be confirmed before its day", () =>
    Effect.gen(function* () {
      const { bill, decide, entriesOf, imported, read } = yield* given
      const { invoice_id } = yield* bill(100)
      const { statement_id } = yield* imported(csv("05.11.2099;A;x;100,00;USD"))
      const [entry] = yield* entriesOf(statement_id)
      if (entry === undefined) return assert.fail("no entry")
      const refused = yield* decide(entry, "confirm", { allocations: [{ invoice_id, amount: 100 }] })
      assert.deepStrictEqual(wrongFields(refused), { booked_on: "out_of_range" })
      assert.include(JSON.stringify(refused.body), "The entry is dated 2099-11-05, in the future")
      assert.deepInclude(yield* read(invoice_id), { amount_paid: 0 })
      assert.lengthOf(yield* entriesOf(statement_id, "?status=open"), 1)
    })
  )
})

billingPg("two decisions on an entry of a bank statement at once", (it) => {
  it.effect("record one payment", () =>
    Effect.gen(function* () {
      const { bill, decide, entriesOf, imported, read } = yield* given
      const { invoice_id } = yield* bill(100)
      const { statement_id } = yield* imported(csv("05.11.2026;A;x;40,00;USD"))
      const [entry] = yield* entriesOf(statement_id)
      if (entry === undefined) return assert.fail("no entry")
      const confirm = decide(entry, "confirm", { allocations: [{ invoice_id, amount: 40 }] })
      const answers = yield* Effect.all([confirm, confirm], { concurrency: "unbounded" })
      assertStatuses(answers, [200, 409])
      assert.deepInclude(yield* read(invoice_id), { amount_paid: 40 })
    })
  )

  it.effect("import a file once", () =>
    Effect.gen(function* () {
      const { imported, send } = yield* given
      const file = csv("05.11.2026;A;x;40,00;USD")
      const both = yield* Effect.all([imported(file), imported(file)], { concurrency: "unbounded" })
      assert.deepStrictEqual(both[0], both[1])
      assert.lengthOf(records(yield* send("GET", "/bank-statements")), 1)
    })
  )
})
