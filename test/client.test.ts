import {
  livery,
  type Livery,
  LiveryError,
  type Tokens,
  verifyWebhook,
  type WebhookEvent
} from "@livery/client"
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("it was not refused"),
    (error: unknown) => {
      assert.instanceOf(error, LiveryError)
      return error
    }
  )

/** A drawing of one pixel. */
const png = new Blob(
  [
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64"
    )
  ],
  { type: "image/png" }
)

describe("the client of a running server", () => {
  let place: Installation
  let server: Server
  let account: Account
  let client: Livery
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
    client = livery({ baseUrl: server.api, apiKey: account.apiKey })
  })
  afterAll(() => place.remove())

  it("creates, reads, changes and deletes a record, and returns it without its envelope", async () => {
    const booked = await client.trips.create(trip())
    const { data, headers, meta, status } = await client.trips.read({ id: booked.trip_id }).withResponse()
    assert.deepStrictEqual([status, { ...data, warnings: [] }], [200, booked])
    assert.strictEqual(headers.get("x-request-id"), meta.request_id)
    const changed = await client.trips.update({ id: booked.trip_id, notes: "Gate 3" }, { ifMatch: data })
    assert.strictEqual(changed.notes, "Gate 3")
    const late = await refusalOf(
      client.trips.update({ id: booked.trip_id, notes: "Gate 4" }, { ifMatch: data })
    )
    assert.deepStrictEqual([late.type, late.status], ["conflict", 409])
    await client.trips.update({ id: booked.trip_id, notes: "Gate 5" }, { ifMatch: changed })
    assert.deepStrictEqual(await client.trips.remove({ id: booked.trip_id, force: true }), { deleted: true })
    assert.strictEqual((await refusalOf(client.trips.read({ id: booked.trip_id }))).type, "not_found")
  })

  it("carries a POST with the same key out once", async () => {
    const idempotencyKey = randomUUID()
    const first = await client.trips.create(trip(), { idempotencyKey })
    const { data, headers } = await client.trips.create(trip(), { idempotencyKey }).withResponse()
    assert.deepStrictEqual([data.trip_id, headers.get("idempotency-replayed")], [first.trip_id, "true"])
  })

  it("throws the wrong fields of a refused input", async () => {
    // @ts-expect-error The status is misspelled.
    const error = await refusalOf(client.trips.list({ status: "canceled" }).page())
    assert.isTrue(error.type === "invalid_request")
    if (error.type !== "invalid_request") return
    assert.deepStrictEqual(error.details, [{ field: "status", issue: "unknown_value" }])
    assert.match(error.requestId ?? "", /^req_/)
  })

  it("reads all pages of a list, by number, by cursor and by event", async () => {
    const made = new Set<string>()
    for (let number = 0; number < 23; number++) {
      const { reference } = await client.trips.create(trip(`Guest ${number}`))
      made.add(reference)
    }
    const listed: Array<string> = []
    for await (const { reference } of client.trips.list({ filter: "upcoming" })) listed.push(reference)
    assert.isAbove(listed.length, 20)
    assert.strictEqual(new Set(listed).size, listed.length)
    assert.isTrue([...made].every((reference) => listed.includes(reference)))

    for (const name of ["A", "B", "C"]) await client.customers.create({ name })
    const names: Array<string> = []
    for await (const { name } of client.customers.list({ per_page: 2 })) names.push(name)
    assert.deepStrictEqual(names, ["A", "B", "C"])
    const { meta } = await client.customers.list({ per_page: 2 }).page()
    assert.deepStrictEqual([meta.pagination.total, meta.pagination.has_more], [3, true])

    const booked: Array<string> = []
    for await (const event of client.events.list({ limit: 10 }))
      if (event.type === "trip.created") booked.push(event.id)
    assert.isAtLeast(booked.length, 23)
    assert.strictEqual(new Set(booked).size, booked.length)
  })

  it("sends a list as the body of an operation that takes one", async () => {
    const { trip_id } = await client.trips.create(trip())
    const { driver_id } = await client.drivers.create({ name: "Ada Byron" })
    const [assigned] = await client.dispatch.assign([{ trip_id, driver_ids: [driver_id] }])
    assert.deepStrictEqual(assigned?.trip.driver_ids, [driver_id])
  })

  it("uploads a file, and reads an invoice as a PDF", async () => {
    const uploaded = await client.uploads.upload({ file: png })
    assert.strictEqual(uploaded.content_type, "image/png")
    const { trip_id } = await client.trips.create(trip())
    const invoice = await client.invoices.create({ trip_ids: [trip_id] })
    const pdf = await client.invoicePdfs.pdf({ id: invoice.invoice_id })
    assert.strictEqual(pdf.type, "application/pdf")
    assert.strictEqual((await pdf.text()).slice(0, 5), "%PDF-")
  })

  it("follows a trip until it ends, as its driver reports with the token of the link", async () => {
    const { trip_id } = await client.trips.create(trip())
    const { driver_id } = await client.drivers.create({ name: "Joan Clarke" })
    const { drivers } = await client.trips.assign({ id: trip_id, driver_ids: [driver_id] })
    const driver = livery({ baseUrl: server.api, driverToken: drivers[0]?.driver_token ?? "" })
    await driver.driverToken.status({ status: "en_route" })
    const seen: Array<string> = []
    for await (const { data, event } of client.tracking.follow({ id: trip_id })) {
      seen.push(`${event} ${data.status} ${data.position?.lat ?? "-"}`)
      if (seen.length === 1) await driver.driverToken.location({ lat: 47.45, lng: 8.5 })
      if (data.position?.lat === 47.45 && data.driver_status === "en_route")
        await driver.driverToken.status({ status: "completed" })
    }
    assert.include(seen.join("\n"), "in_progress 47.45")
    assert.match(seen.at(-1) ?? "", /^status completed/)
  })

  it("checks the signature of an event that the server posts", async () => {
    const ears = await receiver()
    try {
      const { endpoint_id, secret } = await client.webhooks.create({
        url: ears.url,
        events: ["trip.created"]
      })
      const { trip_id } = await client.trips.create(trip())
      const { headers, raw } = await ears.notice(() => true)
      const event: WebhookEvent = await verifyWebhook(String(headers["x-service-signature"]), raw, secret)
      assert.isTrue(event.type === "trip.created" && event.data.trip_id === trip_id)
      await client.webhooks.remove({ id: endpoint_id })
    } finally {
      await ears.close()
    }
  })

  it("signs in, refreshes an access token that was refused for all calls at once, and signs out", async () => {
    const { email, password } = account
    const changes: Array<Tokens | undefined> = []
    const session = { refreshToken: "", onChange: (tokens: Tokens | undefined) => void changes.push(tokens) }
    const person = livery({ baseUrl: server.api, session })
    await person.auth.login({ email, password })
    assert.strictEqual((await person.me.read()).email, email)
    const kept = changes[0]
    assert.isDefined(kept)
    const other = livery({ baseUrl: server.api, session: { ...kept, accessToken: "expired" } })
    const businesses = await Promise.all(Array.from({ length: 5 }, () => other.me.listBusinesses()))
    assert.deepStrictEqual(
      businesses.map(([business]) => business?.business_id),
      Array.from({ length: 5 }, () => account.businessId)
    )
    assert.deepStrictEqual(await other.auth.logout(), { logged_out: true })
    assert.strictEqual((await refusalOf(person.me.read())).type, "unauthorized")
    await vi.waitFor(() => assert.isUndefined(changes.at(-1)))
  })
})
