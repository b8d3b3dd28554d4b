// The evening on which a company moves to the built server: three sheets, and the first invoice after them.
import type { CustomerRecord, ImportRecord, InvoiceRecord, TripRecord } from "@livery/domain"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Answer, answerOf, bearer, type Client, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const done = <A>({ body, status, text }: Answer<A>): A => {
  assert.oneOf(status, [200, 201, 202], text)
  return body.data
}

const customers = `Kundennummer;Firma;Vorname;Nachname;E-Mail;Telefon;Straße;PLZ;Ort;Land
1001;Analytical Engines AG;Ada;Lovelace;ada@engines.example;+41 44 668 18 00;Bahnhofstrasse 1;8001;Zürich;Schweiz
1002;;Grace;Hopper;grace@navy.example;;;;;
1003;;Charles;Babbage;charles;;;;;
`

const trips = `Buchungsnummer;Datum;Uhrzeit;Von;Nach;Kundennummer;Fahrgast;Preis;Status
A-1;24.12.2030;18:30;Flughafen Zürich;Hotel Adler;1001;Ada Lovelace;129,50;bestätigt
A-2;25.12.2030;9:00;Hotel Adler;Flughafen Zürich;1001;Ada Lovelace;129,50;bestätigt
A-3;03.11.2026;10:00;Bern;Basel;1002;Grace Hopper;310;erledigt
`

const invoices = `Rechnungsnummer;Kundennummer;Rechnungsdatum;fällig am;Rechnungsbetrag;offener Betrag
RE-2026-0411;1001;01.10.2026;31.10.2026;1.250,00;1.250,00
RE-2026-0412;1002;15.10.2026;14.11.2026;310,00;110,00
`

describe("a company moves in within an evening", () => {
  let place: Installation
  let server: Server
  let key: string
  let api: Client
  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve(["--sandbox"])
    key = /lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"
    api = clientOf(server.api, bearer(key))
    done(await api.patch("/settings/business", { timezone: "Europe/Zurich", currency: "CHF", country: "CH" }))
  })
  afterAll(() => place.remove())

  const imported = async (as: string, table: string) => {
    const form = new FormData()
    form.set("file", new Blob([table]), `${as}.csv`)
    form.set("as", as)
    const response = await fetch(`${server.api}/imports`, {
      method: "POST",
      headers: bearer(key),
      body: form
    })
    const { import_id } = done(await answerOf<ImportRecord>(response))
    return vi.waitFor(
      async () => {
        const current = done(await api.get<ImportRecord>(`/imports/${import_id}`))
        assert.strictEqual(current.status, "finished")
        return current
      },
      { timeout: 30_000, interval: 200 }
    )
  }

  it("its customers, with the refused line mended", async () => {
    const first = await imported("customers", customers)
    assert.deepInclude(first, { made: 2, refused: 1 })
    const response = await fetch(`${server.api}/imports/${first.import_id}/refused`, { headers: bearer(key) })
    const refused = await response.text()
    assert.include(refused, "email invalid")
    assert.deepInclude(
      await imported("customers", refused.replace(";charles;", ";charles@babbage.example;")),
      {
        made: 1,
        refused: 0
      }
    )
    assert.deepInclude(await imported("customers", customers), { made: 0, matched: 2, changed: 0 })
  })

  it("its trips, each with its customer", async () => {
    assert.deepInclude(await imported("trips", trips), { made: 3, refused: 0 })
    const [ada] = done(await api.get<ReadonlyArray<CustomerRecord>>("/customers?search=lovelace"))
    const stored = done(
      await api.get<ReadonlyArray<TripRecord>>(`/trips?customer_id=${String(ada?.customer_id)}`)
    )
    assert.sameMembers(
      stored.map(({ external_ref, pickup_at }) => `${String(external_ref)} ${pickup_at}`),
      ["A-1 2030-12-24 18:30:00", "A-2 2030-12-25 09:00:00"]
    )
  })

  it("its open invoices with their numbers, after which its first own invoice has the next number", async () => {
    assert.deepInclude(await imported("invoices", invoices), { made: 2, refused: 0 })
    assert.deepInclude(await imported("invoices", invoices), { made: 0, matched: 2 })
    const own = done(
      await api.post<InvoiceRecord>("/invoices", { items: [{ description: "Transfer", unit_price: 100 }] })
    )
    assert.match(String(own.number), /^RE-20\d\d-0413$/u)
    const open = done(await api.get<ReadonlyArray<InvoiceRecord>>("/invoices?status=unpaid"))
    assert.includeMembers(
      open.map(({ amount_due, number }) => `${String(number)} ${amount_due}`),
      ["RE-2026-0411 1250", "RE-2026-0412 110"]
    )
  })

  it("on the command line, with the refused lines beside the file", async () => {
    const file = join(place.directory, "drivers.csv")
    await writeFile(file, "name,email\nDan,dan@drivers.example\nJoan,nowhere\n")
    const { code, stderr, stdout } = await place.command([
      "import-table",
      file,
      "--as",
      "drivers",
      "--business",
      "1"
    ])
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, "2 lines: 1 made, 0 matched, 0 changed, 1 refused")
    assert.include(await readFile(`${file}.refused.csv`, "utf8"), "Joan,nowhere,email invalid")
  })

  it("and leaves with every list as CSV", async () => {
    const response = await fetch(`${server.api}/trips`, { headers: { ...bearer(key), accept: "text/csv" } })
    const lines = (await response.text()).trimEnd().split("\r\n")
    assert.isAtLeast(lines.length, 4)
    assert.match(lines[0] ?? "", /^trip_id,reference,status/u)
  })
})
