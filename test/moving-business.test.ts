/** A business that moves to another installation while its programs book and both installations run. */
import type { CreatedEndpointRecord, InvoiceRecord, TrackingLinkRecord, TripRecord } from "@livery/domain"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { query } from "./support/DatabaseRows.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { given } from "./support/MarkedPerson.ts"
import { type Receiver, receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

const password = "bletchley park"

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 })

describe("livery move", () => {
  let old: Installation
  let next: Installation
  let oldServer: Server
  let nextServer: Server
  let url: string
  let settings: Readonly<Record<string, string>>
  let ears: Receiver
  let account: Account

  beforeAll(async () => {
    ;[old, next, ears] = await Promise.all([installation(), installation(), receiver()])
    ;[oldServer, nextServer] = await Promise.all([old.serve(), next.serve()])
    url = new URL(nextServer.api).origin
    settings = { XDG_CONFIG_HOME: join(old.directory, "configuration") }
    const root = ["users", "create", "--name", "Root", "--email", "root@example.com", "--account-type", "S"]
    assert.strictEqual((await next.command(root, { input: `${password}\n` })).code, 0)
    const login = ["login", "--url", url, "--email", "root@example.com"]
    const signedIn = await old.command(login, { input: `${password}\n`, settings })
    assert.strictEqual(signedIn.code, 0, signedIn.stderr)
    account = await signUp(old, oldServer)
    given(
      await account.client.post<CreatedEndpointRecord>("/webhooks", {
        url: ears.url,
        events: ["trip.created"]
      }),
      201
    )
  })
  afterAll(async () => {
    await ears.close()
    await Promise.all([old.remove(), next.remove()])
  })

  const args = (...more: ReadonlyArray<string>) => ["move", "--business", String(account.businessId), ...more]
  const forward = (...more: ReadonlyArray<string>) => args("--to", url, "--yes", "--json", ...more)
  const run = (command: ReadonlyArray<string>) => old.command(command, { settings })
  const done = async (command: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await run(command)
    assert.strictEqual(code, 0, stderr)
    return stdout
  }
  const manually = (server: Server, path: string, headers = {}) =>
    fetch(`${server.api}${path}`, { headers, redirect: "manual" })
  const stateOf = async () => {
    const [row] = await query(
      old,
      `select state from business_moves where business_id = ${account.businessId}`
    )
    return row?.["state"]
  }

  it("says before what moves and what stays, and changes nothing", async () => {
    given(await account.client.post<TripRecord>("/trips", trip()), 201)
    const plan = JSON.parse(await done(forward("--plan"))) as {
      readonly tables: Readonly<Record<string, number>>
      readonly stays: Readonly<Record<string, number>>
      readonly api_keys: number
    }
    assert.deepInclude(plan.tables, { trips: 1 })
    assert.deepInclude(plan.stays, { members: 1 })
    assert.strictEqual(plan.api_keys, 1)
    assert.include(await done(args("--to", url, "--plan")), "Stays behind:")
    assert.strictEqual(await stateOf(), undefined)
    given(await account.client.post<TripRecord>("/trips", trip()), 201)
  })

  it("is refused without a sign-in at the target, and pauses nothing", async () => {
    const { code, stderr } = await old.command(forward(), {
      settings: { XDG_CONFIG_HOME: join(old.directory, "empty") }
    })
    assert.strictEqual(code, 1)
    assert.match(stderr, /^unauthenticated: /u)
    assert.strictEqual(await stateOf(), undefined)
  })

  it("moves under traffic: what was acknowledged is there once, old links and keys lead there, and events come once", async () => {
    const [linked] = given(await account.client.get<ReadonlyArray<TripRecord>>("/trips"))
    const { token } = given(
      await account.client.post<TrackingLinkRecord>(`/trips/${linked?.trip_id}/tracking-link`),
      201
    )
    const { payment_hash } = given(
      await account.client.post<InvoiceRecord>("/invoices", {
        items: [{ description: "Ride", unit_price: 10 }]
      }),
      201
    )
    const booked = new Set<string>()
    const refusals = new Set<number>()
    const traffic = { isOn: true }
    const book = async (worker: number) => {
      for (let at = 0; traffic.isOn; at++) {
        const external_ref = `R-${worker}-${at}`
        const response = await fetch(`${oldServer.api}/trips`, {
          method: "POST",
          headers: { ...bearer(account.apiKey), "content-type": "application/json" },
          body: JSON.stringify({ ...trip(), external_ref }),
          redirect: "manual"
        })
        if (response.status === 201) booked.add(external_ref)
        else {
          refusals.add(response.status)
          if (response.status === 503) assert.isNotNull(response.headers.get("retry-after"))
        }
        await response.body?.cancel()
      }
    }
    const booking = Promise.all([0, 1, 2, 3].map(book))
    await vi.waitUntil(() => booked.size > 40, { timeout: 60_000, interval: 20 })
    // Killed while it copies, at several moments; the business is then at home here.
    for (const delay of [700, 1200, 1900]) {
      const program = old.launch(forward(), settings)
      await vi.waitUntil(async () => (await stateOf()) !== undefined || program.ending() !== undefined, {
        timeout: 60_000,
        interval: 10
      })
      await new Promise((resolve) => setTimeout(resolve, delay - 700))
      program.signal("SIGKILL")
      await program.ended
      if ((await stateOf()) === "copying") {
        const read = await manually(oldServer, "/trips?per_page=1", bearer(account.apiKey))
        assert.strictEqual(read.status, 200)
      }
    }
    if ((await stateOf()) === "copying") {
      await done(args("--abort"))
      const before = booked.size
      await vi.waitUntil(() => booked.size > before, { timeout: 20_000, interval: 20 })
      assert.deepStrictEqual(await query(next, "select business_id from business_arrivals"), [])
    }
    const moved = JSON.parse(await done(forward())) as {
      readonly business_id: number
      readonly paused_ms: number
    }
    traffic.isOn = false
    await booking
    assert.isTrue(
      [...refusals].every((status) => status === 503 || status === 308),
      [...refusals].join()
    )
    const there = await query(
      next,
      `select external_ref from trips where business_id = ${moved.business_id} and external_ref is not null`
    )
    const refs = there.map((row) => String(row["external_ref"]))
    assert.strictEqual(new Set(refs).size, refs.length, "none twice")
    assert.sameMembers(refs, [...booked])

    for (const [path, headers] of [
      [`/public/tracking/${token}`, {}],
      [`/public/invoices/${payment_hash}`, {}],
      ["/trips?per_page=1", bearer(account.apiKey)]
    ] as const) {
      const answer = await manually(oldServer, path, headers)
      assert.strictEqual(answer.status, 308, path)
      assert.strictEqual(answer.headers.get("location"), `${nextServer.api}${path}`)
      assert.strictEqual((await fetch(`${nextServer.api}${path}`, { headers })).status, 200, path)
    }
    const page = await fetch(`${new URL(oldServer.api).origin}/api/v1/public/businesses/hopper-cars`, {
      redirect: "manual"
    })
    assert.strictEqual(page.status, 308)
    const told = await manually(oldServer, "/trips", bearer(account.accessToken))
    assert.strictEqual(told.status, 421)
    assert.include(await told.text(), `has moved to ${url}: sign in there`)

    const there201 = await clientOf(nextServer.api, bearer(account.apiKey)).post<TripRecord>("/trips", trip())
    given(there201, 201)
    const [counted] = await query(
      next,
      `select count(*)::int as trips from trips where business_id = ${moved.business_id}`
    )
    await vi.waitUntil(() => ears.notices.length >= Number(counted?.["trips"]), {
      timeout: 60_000,
      interval: 50
    })
    const ids = ears.notices.map(({ event }) => event.id)
    assert.strictEqual(new Set(ids).size, ids.length, "each event once")
    for (const place of [old, next]) assert.strictEqual((await place.command(["check", "money"])).code, 0)

    assert.match((await run(args("--abort"))).stderr, /has moved to .* already/u)
    assert.deepInclude(JSON.parse(await done(args("--finish", "--yes", "--json"))), { finished: true })
    const [left] = await query(
      old,
      `select count(*)::int as trips from trips where business_id = ${account.businessId}`
    )
    assert.strictEqual(left?.["trips"], 0)
    assert.strictEqual((await manually(oldServer, `/public/tracking/${token}`)).status, 308)
    assert.strictEqual((await manually(oldServer, "/trips", bearer(account.apiKey))).status, 308)
  })
})
