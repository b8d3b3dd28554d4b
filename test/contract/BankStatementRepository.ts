/** The contract of `BankStatementRepository`. */
import {
  BankStatementRepository,
  type BusinessId,
  Currency,
  InvoiceRepository,
  type NewBankEntry,
  RemittanceRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

const currency = Currency.make("USD")

const entry = (fingerprint: string, change: Partial<NewBankEntry> = {}): NewBankEntry => ({
  status: "open",
  direction: "credit",
  booked_on: "2026-11-05",
  amount_minor: 400,
  currency,
  payer_name: "Acme",
  text: "INV-000001",
  structured_reference: null,
  bank_reference: "B-1",
  fingerprint,
  ...change
})

const statement = (business_id: BusinessId, digest: string) => ({
  business_id,
  format: "csv" as const,
  account: null,
  digest,
  read_count: 2
})

export const bankStatementRepository = contract("bank statements", (it) => {
  it.effect("are stored once per file, without entries that are known, in their own business only", () =>
    Effect.gen(function* () {
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const statements = yield* BankStatementRepository
      const first = yield* statements.insert(
        statement(business, "one"),
        [entry("a"), entry("b", { status: "ignored", direction: "debit", payer_name: null })],
        now
      )
      assert.deepInclude(first, {
        ...statement(business, "one"),
        entry_count: 2,
        open_count: 1,
        created_at: now
      })
      const again = yield* statements.insert(statement(business, "one"), [entry("z")], now)
      assert.deepStrictEqual(again, first)
      const second = yield* statements.insert(statement(business, "two"), [entry("b"), entry("c")], now)
      assert.deepInclude(second, { read_count: 2, entry_count: 1, open_count: 1 })
      assert.deepInclude(yield* statements.insert(statement(other, "one"), [entry("a")], now), {
        entry_count: 1
      })
      assert.deepStrictEqual((yield* statements.list(business, wholeList)).items, [second, first])
      assert.deepStrictEqual(yield* statements.find(business, first.statement_id), Option.some(first))
      assert.deepStrictEqual(yield* statements.find(other, first.statement_id), Option.none())
    })
  )

  it.effect("have entries in the order of the file, which are decided one by one", () =>
    Effect.gen(function* () {
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const statements = yield* BankStatementRepository
      const { statement_id } = yield* statements.insert(
        statement(business, "one"),
        [entry("a"), entry("b"), entry("c")],
        now
      )
      const read = (status?: "open" | "confirmed" | "ignored") =>
        Effect.map(statements.entries(business, statement_id, status, wholeList), ({ items }) => items)
      const [one, two] = yield* read()
      assert.isDefined(one)
      assert.isDefined(two)
      if (one === undefined || two === undefined) return
      assert.deepStrictEqual(one, {
        ...entry("a"),
        entry_id: one.entry_id,
        statement_id,
        business_id: business,
        remittance_id: null,
        created_at: now
      })
      const { remittance_id } = yield* (yield* RemittanceRepository).insert(
        {
          business_id: business,
          amount_minor: 400,
          currency,
          method: "bank_transfer",
          received_at: now,
          reference: null
        },
        [],
        now
      )
      const confirmed = { ...one, status: "confirmed" as const, remittance_id }
      yield* statements.decide(confirmed)
      yield* statements.decide({ ...two, status: "ignored" })
      assert.deepStrictEqual(yield* read("confirmed"), [confirmed])
      assert.deepStrictEqual(
        (yield* read()).map(({ fingerprint, status }) => [fingerprint, status]),
        [
          ["a", "confirmed"],
          ["b", "ignored"],
          ["c", "open"]
        ]
      )
      const lock = (of: BusinessId) => statements.lockEntry(of, statement_id, one.entry_id)
      assert.deepStrictEqual(yield* lock(business), Option.some(confirmed))
      assert.deepStrictEqual(yield* lock(other), Option.none())
    })
  )

  it.effect("are compared with the invoices on which something is due, the newest first", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const invoices = yield* InvoiceRepository
      const statements = yield* BankStatementRepository
      const insert = (change: Parameters<typeof invoiceDraft>[1]) =>
        invoices.insert(invoiceDraft(business, change), now)
      const one = yield* insert({ total_minor: 500, status: "partial", paid_minor: 100 })
      yield* insert({ total_minor: 500, status: "paid", paid_minor: 500 })
      yield* insert({ total_minor: 500, status: "void" })
      const two = yield* insert({ total_minor: 500, credited_minor: 200 })
      const open = ({ invoice_id, number }: typeof one, due_minor: number) => ({
        invoice_id,
        number,
        currency,
        due_minor,
        name: null,
        company: null
      })
      assert.deepStrictEqual(yield* statements.openInvoices(business, 10), [open(two, 300), open(one, 400)])
      assert.deepStrictEqual(yield* statements.openInvoices(business, 1), [open(two, 300)])
    })
  )
})
