/** An erasure whose process is killed, and that is repeated or completed by a worker. */
import type { AssignmentRecord, DriverRecord, LoginResult, TripRecord } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { clientOf } from "./support/Client.ts"
import { query, tablesContaining } from "./support/DatabaseRows.ts"
import { holdLock } from "./support/HeldLock.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { codeFor } from "./support/Mail.ts"
import { given, markCustomer, markerOf } from "./support/MarkedPerson.ts"
import { type Receiver, receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

/** Where accounting law requires that the person remains. */
const retained = ["invoice_snapshots", "invoices", "payments", "retained_parties"]

describe("an erasure that was killed", () => {
  let place: Installation
  let server: Server
  let account: Account
  let webhooks: Receiver
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
    webhooks = await receiver()
    const { code, stderr } = await place.run([
      "businesses",
      "credits",
      String(account.businessId),
      "50",
      "--reason",
      "Test"
    ])
    assert.strictEqual(code, 0, stderr)
  }, 180_000)
  afterAll(async () => {
    await webhooks.close()
    await place.remove()
  })

  const erase = (...person: ReadonlyArray<string>) =>
    [
      "persons",
      "erase",
      "--business",
      String(account.businessId),
      ...person,
      "--yes",
      "--force",
      "--json"
    ] as const

  /** Kills the command when it waits for the locks of a statement. */
  const killAt = async (statement: string, args: ReadonlyArray<string>) => {
    const lock = await holdLock(place, statement)
    const program = place.launch(args)
    try {
      await lock.awaited()
    } finally {
      program.signal("SIGKILL")
      await program.ended
      await lock.release()
    }
  }

  const done = async (args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await place.run(args)
    assert.strictEqual(code, 0, stderr)
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>
  }

  it("at any step completes when it is repeated, and nothing remains", { timeout: 240_000 }, async () => {
    const marker = markerOf("kl4killed", 45.234567)
    const marked = await markCustomer(server, account, marker, webhooks)
    const args = erase("--customer", String(marked.customer_id))
    const one = `business_id = ${account.businessId}`
    // In the order of the steps: a repetition goes on with the step at which the last one was killed.
    for (const [step, statement] of [
      ["the start", `select from customers where customer_id = ${marked.customer_id} and ${one} for update`],
      ["the quotes", "lock table quotes in share mode"],
      ["the bookings", "lock table bookings in share mode"],
      ["the trips", `select from trips where trip_id = ${marked.shared_trip_id} and ${one} for update`],
      ["the events", `select from event_history where body ilike '%${marker.text}%' for update`],
      ["the responses", "select from idempotency_keys for update"],
      ["the invoices", "select from invoice_snapshots for update"],
      ["the record itself", "lock table member_invitations in share mode"]
    ] as const) {
      await killAt(statement, args).catch((cause: unknown) => {
        throw new Error(`The erasure was not killed at ${step}`, { cause })
      })
      const left = Object.keys(await tablesContaining(place, marker.text))
      assert.include(left, "customers", step)
    }
    await done(args)
    const left = await tablesContaining(place, marker.text)
    assert.deepStrictEqual(Object.keys(left).toSorted(), retained, JSON.stringify(left, null, 1))
    for (const text of [marker.email, String(marker.lat)])
      assert.deepStrictEqual(await tablesContaining(place, text), {})
    assert.deepStrictEqual(await query(place, "select * from erasures"), [])
    const { entries } = (await done(["audit", "list", "--action", "person.erased", "--json"])) as {
      readonly entries: ReadonlyArray<Readonly<Record<string, unknown>>>
    }
    assert.deepStrictEqual(
      entries.map(({ subject }) => subject),
      [`customer:${marked.customer_id}`]
    )
  })

  const invitedDriver = async (text: string, email: string) => {
    const { client } = account
    const { driver_id } = given(await client.post<DriverRecord>("/drivers", { name: text, email }), 201)
    given(await client.post(`/drivers/${driver_id}/invite`))
    const anyone = clientOf(server.api)
    const [code, password] = [await codeFor(place.directory, email), "a long password"]
    given(await anyone.post("/auth/accept-invitation", { code, password }), 201)
    const login = { email, password }
    given(await anyone.post<LoginResult>("/auth/login", login))
    return { driver_id, login }
  }

  const assigned = async (driver_id: number) => {
    const { client } = account
    const { trip_id } = given(await client.post<TripRecord>("/trips", trip("Ada")), 201)
    given(await client.post<AssignmentRecord>(`/trips/${trip_id}/drivers`, { driver_ids: [driver_id] }))
  }

  it.for([
    ["a driver with a trip", "kd5worked", true],
    ["a driver without a trip", "kd6unused", false]
  ] as const)(
    "of %s also erases the account when it is repeated",
    { timeout: 120_000 },
    async ([, word, hasTrip]) => {
      const { email, text } = markerOf(word, 1)
      const { driver_id, login } = await invitedDriver(text, email)
      if (hasTrip) await assigned(driver_id)
      const args = erase("--driver", String(driver_id))
      await killAt("lock table member_invitations in share mode", args)
      assert.include(Object.keys(await tablesContaining(place, text)), "users")
      await done(args)
      assert.deepStrictEqual(await tablesContaining(place, text), {})
      assert.strictEqual((await clientOf(server.api).post("/auth/login", login)).status, 401)
    }
  )

  it("of a driver who was deleted before erases the account too", { timeout: 120_000 }, async () => {
    const { email, text } = markerOf("kd7deleted", 1)
    const { driver_id, login } = await invitedDriver(text, email)
    await assigned(driver_id)
    given(await account.client.remove(`/drivers/${driver_id}`, { force: true }))
    assert.deepInclude(await done(erase("--driver", String(driver_id))), { drivers: 1, users: 1 })
    assert.deepStrictEqual(await tablesContaining(place, text), {})
    assert.strictEqual((await clientOf(server.api).post("/auth/login", login)).status, 401)
  })

  /** A customer with a trip, whose erasure by the API is interrupted: the server is killed while it waits for that lock. */
  const killServer = async (word: string, statement: string) => {
    const { email, text } = markerOf(word, 1)
    const client = account.through(server)
    const { customer_id } = given(
      await client.post<{ readonly customer_id: number }>("/customers", { name: text, email }),
      201
    )
    given(await client.post("/trips", { ...trip(text), customer_id, customer_email: email }), 201)
    const lock = await holdLock(place, statement)
    const answer = client.post(`/customers/${customer_id}/erase`, { force: true }).then(
      ({ text: body }) => body,
      () => "no response"
    )
    await lock.awaited()
    await server.kill()
    assert.strictEqual(await answer, "no response")
    await lock.release()
    return { customer_id, text }
  }

  it("with its server by the API is completed by a worker of two nodes", { timeout: 240_000 }, async () => {
    for (const [word, statement] of [
      ["ks9trips", "lock table quotes in share mode"],
      ["ks9record", "lock table member_invitations in share mode"]
    ] as const) {
      const { customer_id, text } = await killServer(word, statement)
      assert.include(Object.keys(await tablesContaining(place, text)), "erasures", word)
      // The lease of the killed process ends, without waiting for two minutes.
      await query(place, "update erasures set due_at = now() - interval '1 minute'")
      server = await place.serve()
      const second = await place.serve()
      await vi.waitUntil(async () => (await query(place, "select from erasures")).length === 0, {
        timeout: 120_000,
        interval: 100
      })
      assert.deepStrictEqual(await tablesContaining(place, text), {}, word)
      const ended = await query(
        place,
        `select from audit_log where action = 'person.erased' and subject = 'customer:${customer_id}'`
      )
      assert.lengthOf(ended, 1, word)
      await second.kill()
    }
  })

  it("with its server by the API completes when it is repeated", { timeout: 120_000 }, async () => {
    const { customer_id, text } = await killServer("ks8server", "lock table member_invitations in share mode")
    server = await place.serve()
    given(await account.through(server).post(`/customers/${customer_id}/erase`, { force: true }))
    assert.deepStrictEqual(await tablesContaining(place, text), {})
  })
})
