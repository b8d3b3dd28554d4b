import type { BankEntryRecord, BankStatementRecord, TripRecord } from "@livery/domain"
import { existsSync } from "node:fs"
import { readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer } from "./support/Client.ts"
import { query } from "./support/DatabaseRows.ts"
import { type Installation, installation } from "./support/Installation.ts"

describe("livery export and livery import", () => {
  let place: Installation
  let other: Installation
  let account: Account
  let file: string

  beforeAll(async () => {
    ;[place, other] = await Promise.all([installation(), installation()])
    const server = await place.serve()
    account = await signUp(place, server)
    for (const name of ["Ada", "Bea"]) {
      const booked = await account.client.post<TripRecord>("/trips", trip(name))
      assert.strictEqual(booked.status, 201, booked.text)
    }
    const invoice = await account.client.post<{ readonly invoice_id: number }>("/invoices", {
      customer_name: "Ada",
      items: [{ description: "Ride", quantity: 1, unit_price: 40, tax_rate: 10 }]
    })
    await account.client.post(`/invoices/${invoice.body.data.invoice_id}/payments`, {
      amount: 10,
      method: "cash"
    })
    const form = new FormData()
    form.set("file", new Blob(["Day;Amount;Text\n2026-11-05;34.00;INV-000001\n2026-11-05;5.00;other\n"]))
    for (const [name, column] of Object.entries({ day: "Day", amount: "Amount", reference: "Text" }))
      form.set(name, column)
    const sent = await fetch(`${server.api}/bank-statements`, {
      method: "POST",
      headers: bearer(account.apiKey),
      body: form
    })
    const { data } = (await sent.json()) as { readonly data: BankStatementRecord }
    const entries = `/bank-statements/${data.statement_id}/entries`
    const [entry] = (await account.client.get<ReadonlyArray<BankEntryRecord>>(entries)).body.data
    const { invoice_id } = invoice.body.data
    const confirmed = await account.client.post(`${entries}/${entry?.entry_id}/confirm`, {
      allocations: [{ invoice_id, amount: 34 }]
    })
    assert.strictEqual(confirmed.status, 200, confirmed.text)
    assert.strictEqual((await server.stop()).code, 0)
    file = join(dirname(place.directory), "business.jsonl")
  }, 120_000)

  afterAll(() => Promise.all([place.remove(), other.remove()]))

  const refusedRun = async (where: Installation, args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await where.command(args)
    assert.deepStrictEqual([code, stdout], [1, ""], stderr)
    return stderr
  }

  it(
    "move a business with its money and its bank statements, by a file that only its owner reads",
    { timeout: 120_000 },
    async () => {
      const made = await place.run(["export", String(account.businessId), file, "--json"])
      assert.strictEqual(made.code, 0, made.stderr)
      assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
      const { rows, tables } = JSON.parse(made.stdout) as {
        readonly rows: number
        readonly tables: Readonly<Record<string, { readonly rows: number }>>
      }
      const counts = ["trips", "payments", "bank_statements", "bank_entries"].map(
        (name) => tables[name]?.rows
      )
      assert.deepStrictEqual(counts, [2, 2, 1, 2])
      for (const line of (await readFile(file, "utf8")).trimEnd().split("\n")) JSON.parse(line)

      const moved = await other.run(["import", file, "--json"])
      assert.strictEqual(moved.code, 0, moved.stderr)
      const imported = JSON.parse(moved.stdout) as { readonly business_id: number; readonly rows: number }
      assert.strictEqual(imported.rows, rows)
      const of = (id: number) =>
        `select reference, customer_name, total_minor from trips where business_id = ${id} order by trip_id`
      assert.deepStrictEqual(
        await query(other, of(imported.business_id)),
        await query(place, of(account.businessId))
      )
      const decided = (id: number) =>
        `select e.status, e.text, e.fingerprint, r.amount_minor from bank_entries e
         left join remittances r on r.business_id = e.business_id and r.remittance_id = e.remittance_id
         where e.business_id = ${id} order by e.entry_id`
      assert.deepStrictEqual(
        await query(other, decided(imported.business_id)),
        await query(place, decided(account.businessId))
      )
      const money = await other.command(["check", "money"])
      assert.strictEqual(money.code, 0, money.stdout + money.stderr)
      const shown = await other.command(["businesses", "show", String(imported.business_id), "--json"])
      assert.include(shown.stdout, "Hopper Cars")
      assert.match(
        await refusedRun(other, ["import", file]),
        /^conflict: This export was imported as business/u
      )
    }
  )

  it(
    "refuse an unknown business, a file that exists, and one that was changed or is not complete",
    { timeout: 120_000 },
    async () => {
      assert.match(await refusedRun(place, ["export", "999999", `${file}.none`]), /^not_found: /u)
      assert.isFalse(existsSync(`${file}.none`) || existsSync(`${file}.none.partial`))
      assert.match(
        await refusedRun(place, ["export", String(account.businessId), file]),
        /exists already: choose another path$/mu
      )
      const text = await readFile(file, "utf8")
      await writeFile(`${file}.changed`, text.replace("Ada", "Eve"))
      assert.match(await refusedRun(other, ["import", `${file}.changed`]), /its checksum differs/u)
      await writeFile(`${file}.newer`, text.replace('"livery_export":2', '"livery_export":3'))
      assert.match(
        await refusedRun(other, ["import", `${file}.newer`]),
        /has format 3, and this Livery reads/u
      )
      await writeFile(`${file}.cut`, text.slice(0, text.length / 2))
      assert.match(await refusedRun(other, ["import", `${file}.cut`]), /is not a complete export of Livery/u)
      assert.match(
        await refusedRun(other, ["import", `${file}.absent`]),
        /absent does not exist: check the path\n$/u
      )
      assert.strictEqual((await place.command(["export", "seven", file])).code, 2)
    }
  )
})
