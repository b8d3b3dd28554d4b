import type { TimelineRecord, TripRecord } from "@livery/domain"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import PostalMime from "postal-mime"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp } from "./support/Account.ts"
import { query, tablesContaining } from "./support/DatabaseRows.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { messageTo } from "./support/Mail.ts"
import { given, markCustomer, markerOf } from "./support/MarkedPerson.ts"
import { type Receiver, receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

/** Where accounting law requires that the person remains. */
const retained = ["invoice_snapshots", "invoices", "payments", "retained_parties"]

describe("erasing a customer", () => {
  let place: Installation
  let server: Server
  let account: Account
  let webhooks: Receiver
  let marked: Awaited<ReturnType<typeof markCustomer>>
  const marker = markerOf("zx9qmarker", 47.123457)

  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
    webhooks = await receiver()
    const credits = ["businesses", "credits", String(account.businessId), "50"]
    const made = await place.command([...credits, "--reason", `Asked by ${marker.text} ${marker.email}`])
    assert.strictEqual(made.code, 0, made.stderr)
    marked = await markCustomer(server, account, marker, webhooks)
    await query(
      place,
      `insert into flight_checks (business_id, trip_id, flight)
        select business_id, trip_id, 'LX ${marker.text}' from trips where trip_id = ${marked.trip_id}`
    )
    for (const address of marked.told)
      await vi.waitFor(
        async () => assert.include(await messageTo(place.directory, address), marker.text),
        60_000
      )
  }, 180_000)
  afterAll(async () => {
    await webhooks.close()
    await place.remove()
  })

  const tablesWith = (text: string) => tablesContaining(place, text)

  /** The receivers of the archived messages that have the person. */
  const receiversOfPerson = async () => {
    const directory = join(place.directory, "mail")
    const messages = await Promise.all(
      (await readdir(directory)).map(async (name) => PostalMime.parse(await readFile(join(directory, name))))
    )
    return messages.flatMap((message) =>
      JSON.stringify(message).toLowerCase().includes(marker.text) ? [message.to?.[0]?.address] : []
    )
  }

  const persons = (...args: ReadonlyArray<string>) =>
    place.run(["persons", "erase", "--business", String(account.businessId), ...args])

  const erase = ["--customer"]

  const pdfOfInvoice = async () => {
    const pdf = await fetch(`${server.api}/invoices/${marked.invoice_id}/pdf`, {
      headers: { Authorization: `Bearer ${account.apiKey}` }
    })
    assert.strictEqual(pdf.status, 200)
    return Buffer.from(await pdf.arrayBuffer())
  }

  it("asks for confirmation, and names what is open", { timeout: 120_000 }, async () => {
    const customer = String(marked.customer_id)
    // The server takes a mark of a notice away as soon as its quiet time is over.
    const places = async () =>
      Object.keys(await tablesWith(marker.text)).filter((name) => name !== "notice_marks")
    const before = await places()
    assert.includeMembers(await receiversOfPerson(), [marker.email, ...marked.told])
    // The places that an erasure has to reach.
    assert.includeMembers(before, [
      ...retained.filter((name) => name !== "retained_parties"),
      "audit_log",
      "bookings",
      "customers",
      "events",
      "flight_checks",
      "member_invitations",
      "quotes",
      "saved_views",
      "trip_changes",
      "trip_fares",
      "trip_search",
      "trips"
    ])
    const asked = await persons(...erase, customer)
    assert.deepStrictEqual([asked.code, asked.stdout], [1, ""], asked.stderr)
    assert.match(asked.stderr, /^confirmation_required: [^\n]+--yes[^\n]+\n$/u)
    const open = await persons(...erase, customer, "--yes")
    assert.deepStrictEqual([open.code, open.stdout], [1, ""], open.stderr)
    assert.match(open.stderr, /^confirmation_required: [^\n]+--force[^\n]*\n$/u)
    const answer = await account.client.post(`/customers/${customer}/erase`, {})
    assert.strictEqual(answer.status, 409, answer.text)
    assert.strictEqual(answer.body.error?.type, "confirmation_required")
    for (const [field, id] of [
      ["trip_id", marked.shared_trip_id],
      ["quote_id", marked.quote_id],
      ["booking_id", marked.booking_id],
      ["invoice_id", marked.invoice_id]
    ] as const)
      assert.deepInclude(answer.body.error?.details, { [field]: id } as never, answer.text)
    assert.sameMembers(await places(), before)
    assert.isTrue((await fetch(marked.photo)).ok)
  })

  it("leaves the person in invoices and payments alone", { timeout: 120_000 }, async () => {
    const issued = await pdfOfInvoice()
    const erased = await persons(...erase, String(marked.customer_id), "--yes", "--force", "--json")
    assert.strictEqual(erased.code, 0, erased.stderr)
    const counts = JSON.parse(erased.stdout) as Readonly<Record<string, unknown>>
    assert.deepInclude(counts, { erased: true, customers: 1, files: 1, invoices_retained: 1, quotes: 1 })
    const left = await tablesWith(marker.text)
    assert.deepStrictEqual(Object.keys(left).toSorted(), retained, JSON.stringify(left, null, 1))
    assert.deepStrictEqual(Object.keys(await tablesWith(String(marker.lat))), [])
    assert.deepStrictEqual(Object.keys(await tablesWith(marker.email)), [])
    assert.deepStrictEqual(await receiversOfPerson(), [])
    assert.strictEqual((await fetch(marked.photo)).status, 404)
    const uploads = join(place.directory, "uploads")
    const files = existsSync(uploads) ? await readdir(uploads, { recursive: true, withFileTypes: true }) : []
    // The PDF of the issued invoice stays as it was issued, with the person.
    const kept = files.filter((file) => file.isFile())
    const bytes = await Promise.all(kept.map(({ name, parentPath }) => readFile(join(parentPath, name))))
    assert.deepStrictEqual(bytes, [issued])
  })

  it("keeps the trips' times, amounts and ids, and the other customer of a shared trip", async () => {
    const trip = given(await account.client.get<TripRecord>(`/trips/${marked.trip_id}`))
    assert.deepInclude(trip, {
      customer_name: "Erased",
      customer_id: null,
      customer_email: null,
      pickup_address: "Erased",
      status: "completed",
      total_amount: 45,
      trip_date: marked.booking.trip_date,
      passengers: [],
      metadata: {}
    })
    const shared = given(await account.client.get<TripRecord>(`/trips/${marked.shared_trip_id}`))
    assert.deepInclude(shared, { customer_name: "Another customer", pickup_address: "Here", notes: null })
    assert.deepStrictEqual(
      shared.passengers.map(({ name }) => name),
      ["Second passenger"]
    )
    assert.strictEqual((await account.client.get(`/customers/${marked.customer_id}`)).status, 404)
    for (const [id, ids] of [
      [marked.trip_id, { customer_id: marked.customer_id }],
      [marked.shared_trip_id, {}]
    ] as const) {
      const lines = given(
        await account.client.get<ReadonlyArray<TimelineRecord>>(`/trips/${id}/timeline?per_page=100`)
      )
      const expected = { change: "updated" as const, before: ids }
      assert.deepInclude(lines.at(-1), expected, "the erasure is in the timeline, without personal fields")
    }
  })

  it("draws the invoice with the person's name, and replays a request without it", async () => {
    assert.isNotEmpty(await pdfOfInvoice())
    const facts = await query(
      place,
      "select party ->> 'name' as name from retained_parties where kind = 'customer'"
    )
    assert.deepStrictEqual(facts, [{ name: marker.text }])
    const again = await marked.repeatable.post("/trips", marked.booking)
    assert.strictEqual(again.status, 201, again.text)
    assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
    assert.notInclude(again.text.toLowerCase(), marker.text)
  })

  it("sends the erased trip to subscribers, and is in the audit log without the person", async () => {
    await webhooks.notice(
      ({ event, raw }) =>
        event.type === "trip.updated" &&
        event.data["trip_id"] === marked.trip_id &&
        event.data["customer_name"] === "Erased" &&
        !raw.includes(marker.text),
      20_000
    )
    const { stdout } = await place.command(["audit", "list", "--action", "person.erased", "--json"])
    const { entries } = JSON.parse(stdout) as {
      readonly entries: ReadonlyArray<Readonly<Record<string, unknown>>>
    }
    assert.strictEqual(entries[0]?.["subject"], `customer:${marked.customer_id}`)
    assert.notInclude(stdout.toLowerCase(), marker.text)
  })

  it(
    "may be repeated, and leaves an export without the person but in invoices",
    { timeout: 60_000 },
    async () => {
      const repeated = await persons(...erase, String(marked.customer_id), "--yes", "--json")
      assert.strictEqual(repeated.code, 0, repeated.stderr)
      assert.deepInclude(JSON.parse(repeated.stdout), {
        trips: 0,
        quotes: 0,
        bookings: 0,
        events: 0,
        files: 0
      })
      const file = join(dirname(place.directory), "erased.jsonl")
      const exported = await place.command(["export", String(account.businessId), file])
      assert.strictEqual(exported.code, 0, exported.stderr)
      const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.includes(marker.text))
      const tables = new Set(lines.map((line) => (JSON.parse(line) as { readonly table: string }).table))
      assert.deepStrictEqual([...tables].toSorted(), retained)
    }
  )
})
