import type { TripRecordWithWarnings, TripRecord } from "@livery/domain"
import { createHash } from "node:crypto"
import { appendFile, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { clientOf } from "./support/Client.ts"
import { query } from "./support/DatabaseRows.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { codeFor } from "./support/Mail.ts"
import { type Receiver, receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

interface Paper {
  readonly invoice_id: number
  readonly total_amount: number
}

interface ListedFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

interface BackupList {
  readonly format: number
  readonly made_at: string
  readonly directories: ReadonlyArray<string>
  readonly files: ReadonlyArray<ListedFile>
}

const countOf = async (place: Installation, rows: string) => {
  const [row] = await query(place, `select count(*)::int as count from ${rows}`)
  return Number(row?.["count"])
}

/** What would be rows if a transaction were restored in part. */
const broken = {
  "trips without their event":
    "trips t where not exists (select from event_history e where e.business_id = t.business_id and e.body like '%\"trip_id\":' || t.trip_id || ',%')",
  "trips without their words":
    "trips t where not exists (select from trip_search s where s.trip_id = t.trip_id)",
  "trips without a timeline":
    "trips t where not exists (select from trip_changes c where c.trip_id = t.trip_id)",
  "events without a delivery":
    "event_history e where e.event_type = 'trip.created' and not exists (select from webhook_delivery_history d where d.event_id = e.event_id)",
  "deliveries without an event":
    "webhook_delivery_history d where not exists (select from event_history e where e.event_id = d.event_id)",
  "payments without an invoice":
    "payments p where not exists (select from invoices i where i.business_id = p.business_id and i.invoice_id = p.invoice_id)"
}

describe("a backup that is taken under load", () => {
  let place: Installation
  let other: Installation
  let ears: Receiver
  let server: Server
  let account: Account
  let backup: string
  const acknowledged: Array<TripRecord> = []
  const load = { isOn: true }
  let atBackup = 0

  const work = async () => {
    while (load.isOn) {
      const booked = await account.client.post<TripRecordWithWarnings>(
        "/trips",
        trip(`Customer ${acknowledged.length}`)
      )
      assert.strictEqual(booked.status, 201, booked.text)
      acknowledged.push(booked.body.data)
      const invoice = await account.client.post<Paper>("/invoices", {
        customer_name: "Bea",
        items: [{ description: "Ride", quantity: 1, unit_price: 40, tax_rate: 10 }]
      })
      if (invoice.status !== 201) continue
      await account.client.post(`/invoices/${invoice.body.data.invoice_id}/payments`, {
        amount: 10,
        method: "cash"
      })
    }
  }

  beforeAll(async () => {
    ;[place, other, ears] = await Promise.all([
      installation({ embedded: "copied" }),
      installation({ embedded: "absent" }),
      receiver()
    ])
    server = await place.serve()
    account = await signUp(place, server)
    await account.client.post("/webhooks", { url: ears.url, events: ["trip.created"] })
    backup = join(dirname(place.directory), "backups", "one")
    const clients = Promise.all([work(), work()])
    await vi.waitUntil(() => acknowledged.length >= 10, { timeout: 60_000, interval: 10 })
    atBackup = acknowledged.length
    const made = await place.run(["backup", backup, "--json"])
    load.isOn = false
    await clients
    assert.strictEqual(made.code, 0, made.stderr)
    const summary = JSON.parse(made.stdout) as { readonly files: number; readonly bytes: number }
    assert.isAbove(summary.files, 500)
  }, 240_000)

  afterAll(() => Promise.all([place.remove(), other.remove(), ears.close()]))

  it("is readable by its owner only, and has the database, the secret and a list of checksums", async () => {
    assert.includeMembers(await readdir(backup), ["backup.json", "postgres", "secret"])
    assert.strictEqual((await stat(backup)).mode & 0o777, 0o700)
    assert.strictEqual((await stat(join(backup, "backup.json"))).mode & 0o777, 0o600)
  })

  it("says that it lacks the secret that the environment or nothing has", { timeout: 60_000 }, async () => {
    const [set, lost] = [`${backup} with LIVERY_SECRET`, `${backup} without a secret`]
    const fromEnvironment = await place.command(["backup", set], {
      settings: { LIVERY_SECRET: await readFile(join(place.directory, "secret"), "utf8") }
    })
    assert.strictEqual(fromEnvironment.code, 0, fromEnvironment.stderr)
    assert.strictEqual(
      fromEnvironment.stderr,
      "LIVERY_SECRET is set: keep it with the backup, which does not contain it\n"
    )
    const file = join(place.directory, "secret")
    await rename(file, `${file}.away`)
    const withoutFile = await place.command(["backup", lost])
    await rename(`${file}.away`, file)
    assert.strictEqual(withoutFile.code, 0, withoutFile.stderr)
    assert.match(withoutFile.stderr, /^The backup has no secret, [^\n]+: restore that file\n$/u)
  })

  it(
    "restores to a consistent installation with every trip that was acknowledged before it",
    { timeout: 60_000 },
    async () => {
      const restored = await other.run(["restore", backup, "--json"])
      assert.strictEqual(restored.code, 0, restored.stderr)
      const { missing_migrations, rows } = JSON.parse(restored.stdout) as {
        readonly rows: number
        readonly missing_migrations: ReadonlyArray<string>
      }
      assert.deepStrictEqual(missing_migrations, [])
      assert.isAbove(rows, atBackup)
      const money = await other.command(["check", "money"])
      assert.deepStrictEqual(
        [money.code, money.stdout.trim()],
        [0, "Every sum equals its ledger"],
        money.stderr
      )
      for (const [fault, rows] of Object.entries(broken))
        assert.strictEqual(await countOf(other, rows), 0, fault)
      assert.isAbove(await countOf(other, "payments"), 0)

      const again = await other.serve()
      for (const { reference, trip_id } of acknowledged.slice(0, atBackup)) {
        const { body, status } = await account.through(again).get<TripRecord>(`/trips/${trip_id}`)
        assert.deepStrictEqual([status, body.data?.reference], [200, reference])
      }
      const booked = await account.through(again).post<TripRecord>("/trips", trip("After the restore"))
      assert.strictEqual(booked.status, 201, booked.text)
      assert.strictEqual((await again.stop()).code, 0)
    }
  )

  it(
    "sends nothing after it was restored to another place, until `livery resume`; doctor, health and the log say so",
    { timeout: 90_000 },
    async () => {
      const copy = await installation({ embedded: "absent" })
      try {
        const restored = await copy.command(["restore", backup])
        assert.strictEqual(restored.code, 0, restored.stderr)
        assert.match(restored.stderr, /are held: `livery resume` ends the pause\n$/u)
        const again = await copy.serve()
        const before = ears.notices.length
        const client = account.through(again)
        const { body } = await client.post<TripRecord>("/trips", trip("In a rehearsal"))
        const isOfRehearsal = ({ raw }: { readonly raw: string }) => raw.includes("In a rehearsal")
        await clientOf(again.api).post("/auth/password-reset", { email: account.email })
        const ready = await clientOf(`${again.address}/health`).get("/ready")
        assert.deepStrictEqual(ready.body.data, { status: "ready", outgoing_paused: true })
        assert.match(
          again.program.stderr(),
          /"Webhooks, mail, [^"]+ are held: `livery resume` ends the pause"/u
        )
        const doctor = await copy.command(["doctor", "--json"])
        const { findings } = JSON.parse(doctor.stdout) as {
          readonly findings: ReadonlyArray<{ readonly check: string; readonly status: string }>
        }
        assert.strictEqual(findings.find(({ check }) => check === "outgoing")?.status, "warning")
        assert.strictEqual(ears.notices.length, before, "a receiver got a webhook of the rehearsal")
        assert.deepStrictEqual(await readdir(join(copy.directory, "mail")).catch(() => []), [])

        const resumed = await copy.command(["resume", "--json"])
        assert.strictEqual(resumed.code, 0, resumed.stderr)
        assert.deepInclude(JSON.parse(resumed.stdout), { key: "outgoing_paused", value: false })
        const { event } = await ears.notice(isOfRehearsal, 30_000)
        assert.deepInclude(event.data, { trip_id: body.data.trip_id })
        await codeFor(copy.directory, account.email)
        assert.strictEqual((await again.stop()).code, 0)
      } finally {
        await copy.remove()
      }
    }
  )

  it("is not overwritten by another one, and overwrites no installation", { timeout: 60_000 }, async () => {
    const second = await place.command(["backup", backup])
    assert.strictEqual(second.code, 1)
    assert.match(second.stderr, /^conflict: .*exists already: choose another path$/mu)
    const over = await place.command(["restore", backup])
    assert.strictEqual(over.code, 1)
    assert.match(over.stderr, /^conflict: .*has an installation already/u)
  })

  it(
    "is refused if a page of a table is damaged, though its list says otherwise, and nothing is left of it",
    { timeout: 120_000 },
    async () => {
      const fresh = await installation({ embedded: "absent" })
      const [row] = await query(place, "select pg_relation_filepath('plans') as path")
      const path = `postgres/${String(row?.["path"])}`
      const [file, listFile] = [join(backup, path), join(backup, "backup.json")]
      const [page, list] = [await readFile(file), await readFile(listFile, "utf8")]
      try {
        // Nothing changed the plans during the backup, so its log has no copy of the page.
        await writeFile(
          file,
          page.map((byte, index) => (index === 8000 ? byte ^ 1 : byte))
        )
        const { directories, files, format, made_at } = JSON.parse(list) as BackupList
        const sha256 = createHash("sha256")
          .update(await readFile(file))
          .digest("hex")
        const damaged = files.map((it) => (it.path === path ? { ...it, sha256 } : it))
        const listed = [format, made_at, directories, damaged.map((it) => [it.path, it.size, it.sha256])]
        const sum = createHash("sha256").update(JSON.stringify(listed)).digest("hex")
        await writeFile(
          listFile,
          JSON.stringify({ format, made_at, directories, files: damaged, sha256: sum })
        )
        const { code, stderr, stdout } = await fresh.command(["restore", backup])
        assert.deepStrictEqual([code, stdout], [1, ""], stderr)
        assert.match(
          stderr,
          /^conflict: The database of the backup cannot be read, [^\n]+: use another backup\n$/u
        )
        assert.deepStrictEqual(await readdir(fresh.directory), [])
      } finally {
        await Promise.all([writeFile(file, page), writeFile(listFile, list), fresh.remove()])
      }
    }
  )

  it(
    "is refused if a file was changed or the list is missing, and nothing is left of it",
    { timeout: 120_000 },
    async () => {
      const fresh = await installation({ embedded: "absent" })
      try {
        const file = join(backup, "postgres", "PG_VERSION")
        const before = await readFile(file)
        await appendFile(file, " ")
        const damaged = await fresh.command(["restore", backup])
        assert.strictEqual(damaged.code, 1)
        assert.match(damaged.stderr, /A file of .* is damaged: postgres\/PG_VERSION$/mu)
        await writeFile(file, before)
        assert.deepStrictEqual(await readdir(fresh.directory), [])
        const listFile = join(backup, "backup.json")
        const list = await readFile(listFile, "utf8")
        const { files, ...rest } = JSON.parse(list) as BackupList
        await writeFile(listFile, JSON.stringify({ ...rest, files: files.slice(1) }))
        const shortened = await fresh.command(["restore", backup])
        assert.match(shortened.stderr, /^conflict: \S+backup\.json was changed[^\n]+\n$/u)
        assert.deepStrictEqual(await readdir(fresh.directory), [])
        await writeFile(listFile, list)
        await mkdir(join(dirname(backup), "empty"))
        const none = await fresh.command(["restore", join(dirname(backup), "empty")])
        assert.match(none.stderr, /is not a complete backup of Livery/u)
        const absent = await fresh.command(["restore", join(dirname(backup), "absent")])
        assert.match(absent.stderr, /absent does not exist$/mu)
        const external = await fresh.command(["backup", `${backup}-2`], {
          settings: { DATABASE_URL: "postgresql://localhost/none", LIVERY_SECRET: "s".repeat(32) }
        })
        assert.strictEqual(external.code, 1)
        assert.include(external.stderr, "DATABASE_URL is set")
      } finally {
        await fresh.remove()
      }
    }
  )
})
