import type { AssignmentRecord, DriverRecord, LoginResult, TripRecord } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { query, tablesContaining } from "./support/DatabaseRows.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { codeFor } from "./support/Mail.ts"
import { given, markerOf, upload } from "./support/MarkedPerson.ts"
import type { Server } from "./support/Server.ts"

describe("erasing drivers, users and contacts", () => {
  let place: Installation
  let server: Server
  let account: Account
  const password = "a long password"
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
  }, 60_000)
  afterAll(() => place.remove())

  const erased = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await place.run(["persons", "erase", ...args, "--yes", "--json"])
    assert.strictEqual(code, 0, stderr)
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>
  }

  const refused = async (args: ReadonlyArray<string>, type: string, run = place.command) => {
    const { code, stderr, stdout } = await run(["persons", "erase", ...args, "--yes"])
    assert.deepStrictEqual([code, stdout], [1, ""], stderr)
    assert.match(stderr, new RegExp(`^${type}: [^\\n]+\\n$`, "u"))
  }

  it("a driver leaves no name, document, position, absence and account", { timeout: 120_000 }, async () => {
    const { text, email, lat } = markerOf("qv7driver", 46.987654)
    const { client } = account
    const photo = await upload(server, account)
    const profile = {
      name: text,
      email,
      phone: `+41 ${text}`,
      license_number: text,
      license_expires_on: "2031-01-01",
      home_address: text,
      home_lat: lat,
      photo_url: photo
    }
    const key = { "Idempotency-Key": "driver" }
    const repeatable = clientOf(server.api, { ...bearer(account.apiKey), ...key })
    const { driver_id } = given(await repeatable.post<DriverRecord>("/drivers", profile), 201)
    given(
      await client.post(`/drivers/${driver_id}/absences`, {
        starts_at: "2027-01-01T00:00:00Z",
        ends_at: "2027-01-02T00:00:00Z",
        kind: "sick",
        note: text
      }),
      201
    )
    given(await client.post(`/drivers/${driver_id}/invite`))
    const anyone = clientOf(server.api)
    given(
      await anyone.post("/auth/accept-invitation", { code: await codeFor(place.directory, email), password }),
      201
    )
    const login = { email, password, device_name: `Phone of ${text}` }
    const session = given(await anyone.post<LoginResult>("/auth/login", login))
    const driver = clientOf(server.api, bearer(session.access_token))

    const drive = async (isEnded: boolean) => {
      const { trip_id } = given(await client.post<TripRecord>("/trips", trip("Ada")), 201)
      given(await client.post<AssignmentRecord>(`/trips/${trip_id}/drivers`, { driver_ids: [driver_id] }))
      const move = (change: object) => driver.patch(`/me/driver/trips/${trip_id}`, change)
      given(await move({ status: "en_route", milestone: "arrived_at_pickup", lat, lng: 8 }))
      given(await driver.post("/me/driver/location", { lat, lng: 8 }))
      if (isEnded) given(await move({ status: "completed" }))
      return trip_id
    }
    const ended = await drive(true)
    const open = await drive(false)
    const before = Object.keys(await tablesContaining(place, text))
    assert.includeMembers(before, ["driver_absences", "drivers", "events", "session_families", "users"])
    assert.includeMembers(Object.keys(await tablesContaining(place, String(lat))), [
      "assignment_milestones",
      "driver_positions",
      "driver_trail",
      "events",
      "trip_changes"
    ])

    const business = ["--business", String(account.businessId)]
    await refused([...business, "--driver", String(driver_id)], "confirmation_required")
    assert.deepInclude(await erased(...business, "--driver", String(driver_id), "--force"), {
      drivers: 1,
      users: 1,
      files: 1,
      assignments: 2
    })
    assert.deepStrictEqual(await tablesContaining(place, text), {})
    assert.deepStrictEqual(await tablesContaining(place, String(lat)), {})
    const again = await repeatable.post("/drivers", profile)
    assert.strictEqual(again.headers.get("idempotency-replayed"), "true", again.text)
    assert.notInclude(again.text, text)
    assert.strictEqual((await fetch(photo)).status, 404)
    assert.strictEqual((await driver.get("/me/driver")).status, 401)
    assert.strictEqual((await anyone.post("/auth/login", login)).status, 401)
    const kept = given(await client.get<TripRecord>(`/trips/${ended}`))
    assert.deepInclude(kept.drivers[0], { driver_id, name: "Erased", status: "completed" })
    assert.strictEqual(kept.customer_name, "Ada")
    assert.strictEqual(given(await client.get<TripRecord>(`/trips/${open}`)).status, "confirmed")
  })

  it(
    "an account leaves no name and no credential, unless it is the only owner",
    { timeout: 120_000 },
    async () => {
      const { text, email } = markerOf("kw3user", 1)
      const anyone = clientOf(server.api)
      const owner = clientOf(server.api, bearer(account.accessToken))
      given(await owner.post("/business/members", { email, role: "dispatcher", name: text }), 201)
      const code = await codeFor(place.directory, email)
      given(await anyone.post("/auth/accept-invitation", { code, password }), 201)
      const login = { email, password, device_name: text }
      const session = given(await anyone.post<LoginResult>("/auth/login", login))
      const user = clientOf(server.api, bearer(session.access_token))
      given(await user.post("/me/devices", { platform: "ios", device_token: text, device_name: text }))
      given(await user.post<TripRecord>("/trips", trip("Ada")), 201)
      const id = String(session.user.id)
      assert.strictEqual((await user.post("/persons/erase", { email })).status, 403, "a dispatcher may not")
      assert.strictEqual((await user.post(`/admin/users/${id}/erase`, {})).status, 403)

      const [only] = await query(place, "select user_id from users where name = 'Grace Hopper'")
      await refused(["--user", String(only?.["user_id"])], "conflict", place.run)
      assert.deepInclude(await erased("--user", id), { users: 1, customers: 0 })
      assert.deepStrictEqual(await tablesContaining(place, text), {})
      assert.strictEqual((await user.get("/me")).status, 401)
      assert.strictEqual((await anyone.post("/auth/login", login)).status, 401)
      assert.deepInclude(await erased("--user", id), { audit_entries: 0 })
      const shown = await place.command(["users", "show", id, "--json"])
      assert.strictEqual(shown.code, 0, shown.stderr)
      assert.deepInclude(JSON.parse(shown.stdout), { name: "Erased", business_ids: [] })
    }
  )

  it("a passenger is erased by a phone number, however it is written", { timeout: 60_000 }, async () => {
    const { client } = account
    const input = {
      ...trip("The company"),
      passengers: [
        { name: "pz5passenger", phone: "+41 (79) 555-01-99" },
        { name: "Bea", phone: "+41 79 555 02 00" }
      ]
    }
    const { trip_id } = given(await client.post<TripRecord>("/trips", input), 201)
    const erase = { phone: "0041 79 5550199".replace("00", "+"), force: true }
    const counts = given(await client.post("/persons/erase", erase))
    assert.deepInclude(counts, { trips: 1, customers: 0 })
    assert.deepStrictEqual(await tablesContaining(place, "pz5passenger"), {})
    const kept = given(await client.get<TripRecord>(`/trips/${trip_id}`))
    assert.deepInclude(kept, { customer_name: "The company", pickup_address: "Airport, Terminal 1" })
    assert.deepStrictEqual(
      kept.passengers.map(({ name }) => name),
      ["Bea"]
    )
  })

  it("wrong input is refused, and changes nothing", { timeout: 60_000 }, async () => {
    const business = ["--business", String(account.businessId)]
    for (const args of [[], business, [...business, "--user", "1"]]) {
      const { code, stderr, stdout } = await place.command(["persons", "erase", ...args, "--yes"])
      assert.deepStrictEqual([code, stdout], [2, ""], stderr)
      assert.match(stderr, /^Name one person: [^\n]+\n$/u)
    }
    await refused([...business, "--customer", "1", "--driver", "1"], "invalid_request")
    await refused([...business, "--email", "nobody"], "invalid_request")
    await refused([...business, "--customer", "999999"], "not_found")
    await refused(["--business", "999999", "--email", "ada@example.com"], "not_found")
    await refused(["--user", "999999"], "not_found")
    assert.strictEqual((await place.command(["persons", "erase", "--user", "one", "--yes"])).code, 2)
    const { client } = account
    for (const [body, field] of [
      [{}, "email"],
      [{ email: "nobody" }, "email"],
      [{ phone: "12" }, "phone"],
      [{ email: "a@example.com", force: "yes" }, "force"]
    ] as const) {
      const answer = await client.post("/persons/erase", body)
      assert.strictEqual(answer.status, 422, answer.text)
      assert.strictEqual(answer.body.error?.details?.[0]?.field, field, answer.text)
    }
  })

  it(
    "trips that are booked for the customer meanwhile are either erased or refused",
    { timeout: 120_000 },
    async () => {
      const { client } = account
      const { email, text } = markerOf("rc8racer", 1)
      const { customer_id } = given(
        await client.post<{ readonly customer_id: number }>("/customers", { name: text, email }),
        201
      )
      const book = () =>
        client.post<TripRecord>("/trips", { ...trip(text), customer_email: email, customer_id })
      given(await book(), 201)
      const [answers, counts] = await Promise.all([
        Promise.all(Array.from({ length: 30 }, book)),
        client.post<{ readonly trips: number }>(`/customers/${customer_id}/erase`, { force: true })
      ])
      assert.strictEqual(counts.status, 200, counts.text)
      const booked = answers.filter(({ status }) => status === 201)
      for (const answer of answers) assert.oneOf(answer.status, [201, 422], answer.text)
      assert.strictEqual(counts.body.data.trips, booked.length + 1)
      assert.deepStrictEqual(await tablesContaining(place, text), {})
    }
  )
})
