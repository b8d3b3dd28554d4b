/** Reads the exports of the books (docs/billing/exports.md) as a bookkeeping program does, and adds up what they state. */
import { Effect, Stream } from "effect"
import * as Csv from "effect/encoding/Csv"
import { createHash } from "node:crypto"
import { assert } from "vitest"
import { centsOf, Sums } from "./Ledger.ts"

/** A file as it was sent, after its checksum was compared with its bytes. */
export interface BookFile {
  readonly bytes: Uint8Array
  /** The header with the sums, in cents by currency. */
  readonly stated: Readonly<Record<string, number>>
  /** How many rows state an amount. */
  readonly rows: number
}

/** Reads an export, and checks its checksum. */
export const bookFile = async (url: string, headers: Readonly<Record<string, string>>): Promise<BookFile> => {
  const answer = await fetch(url, { headers })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  assert.strictEqual(answer.status, 200, new TextDecoder().decode(bytes))
  const digest = createHash("sha256").update(bytes).digest("base64")
  assert.strictEqual(answer.headers.get("repr-digest"), `sha-256=:${digest}:`)
  const stated = new Sums()
  for (const sum of (answer.headers.get("x-export-sums") ?? "").split(", ").filter(Boolean)) {
    const [currency = "", amount] = sum.split(" ")
    stated.add(currency, centsOf(amount))
  }
  return { bytes, stated: stated.all, rows: Number(answer.headers.get("x-export-rows")) }
}

const textOf = ({ bytes }: BookFile, encoding: string) => new TextDecoder(encoding).decode(bytes)

const recordsOf = (text: string, delimiter: string): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  Stream.make(text).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter, headers: false })),
    Stream.runCollect,
    Effect.runPromise
  )

/** The rows of a file of separated values, by the names of its columns. */
export const csvRows = async (file: BookFile) => {
  const [head = [], ...rows] = await recordsOf(textOf(file, "utf-8"), ",")
  return rows.map((row): Readonly<Record<string, string>> =>
    Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""]))
  )
}

/** The sums of a column by currency, and by the column `by` if there is one. */
export const columnSums = (
  rows: ReadonlyArray<Readonly<Record<string, string>>>,
  column: string,
  by?: string
): Readonly<Record<string, number>> => {
  const sums = new Sums()
  for (const row of rows) {
    const key = [row["currency"] ?? row["Currency"], by === undefined ? undefined : row[by]]
    sums.add(key.filter((part) => part !== undefined).join(" "), centsOf(row[column]))
  }
  return sums.all
}

/** What the postings of a journal in CSV leave on each account: `EUR receivable`. */
export const journalBalance = (rows: ReadonlyArray<Readonly<Record<string, string>>>) => {
  const sums = new Sums()
  for (const { amount, credit = "", currency = "", debit = "" } of rows) {
    sums.add(`${currency} ${debit}`, centsOf(amount))
    sums.add(`${currency} ${credit}`, -centsOf(amount))
  }
  return sums.all
}

/** What a batch of DATEV leaves on each account: `EUR 1410`. `base` is the currency of rows that name none. */
export const datevBalance = async (file: BookFile, base: string) => {
  const [head = [], columns = [], ...rows] = await recordsOf(textOf(file, "windows-1252"), ";")
  assert.deepStrictEqual([head.slice(0, 5), head.length], [["EXTF", "700", "21", "Buchungsstapel", "13"], 31])
  const sums = new Sums()
  for (const row of rows) {
    assert.strictEqual(row.length, columns.length)
    const [amount, side, currency, , , , account = "", contra = ""] = row
    const signed = (side === "S" ? 1 : -1) * centsOf(amount)
    const of = currency === "" || currency === undefined ? base : currency
    sums.add(`${of} ${account}`, signed)
    sums.add(`${of} ${contra}`, -signed)
  }
  return sums.all
}

/** What a file of QuickBooks leaves on each account. Each transaction has to balance. Its rows name no currency. */
export const quickBooksBalance = (file: BookFile) => {
  const sums = new Sums()
  let open = 0
  for (const row of textOf(file, "windows-1252").split("\r\n").slice(3)) {
    const [kind, , , account = "", , amount] = row.split("\t")
    if (kind === "ENDTRNS") assert.strictEqual(open, 0, "a transaction balances")
    if (kind !== "TRNS" && kind !== "SPL") continue
    open += centsOf(amount)
    sums.add(account, centsOf(amount))
  }
  return sums.all
}

/** The totals of a file for Xero by currency, as its import computes them: price times quantity, and tax. */
export const xeroTotals = async (file: BookFile) => {
  const [total, tax] = [new Sums(), new Sums()]
  for (const row of await csvRows(file)) {
    const currency = row["Currency"] ?? ""
    const net = Math.round(Number(row["*Quantity"]) * centsOf(row["*UnitAmount"]))
    total.add(currency, net + centsOf(row["TaxAmount"]))
    tax.add(currency, centsOf(row["TaxAmount"]))
  }
  return { total: total.all, tax: tax.all }
}
