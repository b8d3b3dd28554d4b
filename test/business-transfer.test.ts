import type { TripRecord } from "@livery/domain"
import { existsSync } from "node:fs"
import { readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
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
    "move a business with its money, by a file that only its owner reads",
    { timeout: 120_000 },
    async () => {
      const made = await place.run(["export", String(account.businessId), file, "--json"])
      assert.strictEqual(made.code, 0, made.stderr)
      assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
      const { rows, tables } = JSON.parse(made.stdout) as {
        readonly rows: number
        readonly tables: Readonly<Record<string, { readonly rows: number }>>
      }
      assert.deepStrictEqual([tables["trips"]?.rows, tables["payments"]?.rows], [2, 1])
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
