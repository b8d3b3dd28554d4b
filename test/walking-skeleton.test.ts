import {
  type BusinessRecord,
  type CreatedApiKey,
  type CreatedEndpointRecord,
  type Delivery,
  type LoginResult,
  type RegistrationResult,
  type TripRecordWithWarnings,
  type TripRecord,
  type UserRecord,
  type VerificationResult
} from "@livery/domain"
import { verify } from "@livery/domain/verify"
import { stat } from "node:fs/promises"
import { join, relative } from "node:path"
import { Stripe } from "stripe"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { run as runScript } from "./support/Shell.ts"
import { bearer, clientOf, type Envelope } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { codeFor } from "./support/Mail.ts"
import { receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"
import { trip } from "./support/Account.ts"

describe("a business signs up, books a trip, and receives its event", () => {
  let place: Installation
  let server: Server
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
  })
  afterAll(() => place.remove())

  it("goes from the sign-up to a delivery that verifies", async () => {
    const anyone = clientOf(server.api)
    const credentials = { email: "Grace@Hopper-Cars.example", password: "a quiet long password" }

    const registered = await anyone.post<RegistrationResult>("/auth/register", {
      ...credentials,
      name: "Grace Hopper",
      business_name: "Hopper Cars",
      website_url: "https://hopper-cars.example"
    })
    assert.strictEqual(registered.status, 201, registered.text)
    assert.isTrue(registered.body.data.verification_required)

    const early = await anyone.post("/auth/login", credentials)
    assert.strictEqual(early.status, 403)
    assert.strictEqual(early.body.error?.type, "email_unverified")
    const guess = await anyone.post("/auth/login", { ...credentials, password: "another password" })
    assert.strictEqual(guess.status, 401)
    assert.strictEqual(guess.body.error?.type, "invalid_credentials")

    const code = await codeFor(place.directory, "grace@hopper-cars.example")
    const verified = await anyone.post<VerificationResult>("/auth/verify-email", { code })
    assert.strictEqual(verified.status, 200)
    assert.deepStrictEqual(verified.body.data, { verified: true, email: "grace@hopper-cars.example" })
    const again = await anyone.post<VerificationResult>("/auth/verify-email", { code })
    assert.deepStrictEqual(again.body.data, { verified: false, email: null })

    const loggedIn = await anyone.post<LoginResult>("/auth/login", credentials)
    assert.strictEqual(loggedIn.status, 200, loggedIn.text)
    const { access_token, businesses, expires_in, refresh_token, token_type } = loggedIn.body.data
    const { business_id } = registered.body.data
    assert.strictEqual(token_type, "Bearer")
    assert.strictEqual(expires_in, 900)
    assert.isNotEmpty(refresh_token)
    assert.deepStrictEqual(businesses, [{ business_id, business_name: "Hopper Cars" }])

    const person = clientOf(server.api, bearer(access_token))
    const me = await person.get<UserRecord>("/me")
    assert.strictEqual(me.status, 200, me.text)
    assert.deepInclude(me.body.data, {
      id: registered.body.data.user_id,
      email: "grace@hopper-cars.example",
      name: "Grace Hopper",
      account_type: "A",
      is_driver: false
    })

    const key = await person.post<CreatedApiKey>("/me/api-keys")
    assert.strictEqual(key.status, 201, key.text)
    assert.match(key.body.data.api_key, /^lvk_[\w-]{43}$/u)

    const business = clientOf(server.api, bearer(key.body.data.api_key))
    const ping = await business.get("/ping")
    assert.strictEqual(ping.status, 200)
    assert.deepInclude(ping.body.data, { ok: true, business_id, api_version: "1.0.0" })
    const read = await business.get<BusinessRecord>("/business")
    assert.deepInclude(read.body.data, { business_id, business_name: "Hopper Cars", status: "A" })
    const keyForPeople = await business.get("/me")
    assert.strictEqual(keyForPeople.status, 403)
    assert.strictEqual(keyForPeople.body.error?.type, "forbidden")

    const ears = await receiver()
    try {
      const subscribed = await business.post<CreatedEndpointRecord>("/webhooks", {
        url: ears.url,
        events: ["trip.created"]
      })
      assert.strictEqual(subscribed.status, 201, subscribed.text)
      const { endpoint_id, secret, status } = subscribed.body.data
      assert.strictEqual(status, "enabled")

      const booked = await business.post<TripRecordWithWarnings>("/trips", trip("Ada Lovelace ✈ 東京"))
      assert.strictEqual(booked.status, 201, booked.text)
      assert.deepInclude(booked.body.data, {
        status: "confirmed",
        pickup_at: "2031-05-04 09:30:00",
        trip_date: "2031-05-04T09:30:00Z",
        customer_name: "Ada Lovelace ✈ 東京",
        total_amount: 129.5
      })
      assert.match(booked.body.data.reference, /^TR-[0-9A-HJKMNP-TV-Z]{7}$/u)

      const { event, headers, raw } = await ears.notice(() => true)
      const signature = String(headers["x-service-signature"])
      assert.strictEqual(headers["content-type"], "application/json")
      assert.strictEqual(headers["x-service-event"], "trip.created")
      assert.strictEqual(headers["x-service-delivery"], event.id)
      assert.match(event.id, /^evt_[0-9a-f]+$/u)
      assert.strictEqual(event.meta.business_id, business_id)
      const { warnings, ...recorded } = booked.body.data
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(event.data, { ...recorded })
      assert.strictEqual((await verify(signature, raw, secret)).id, event.id)
      // Stripe's scheme is the same, so its SDK is a judge that knows nothing of ours.
      assert.strictEqual(new Stripe("sk_none").webhooks.constructEvent(raw, signature, secret).id, event.id)
      assert.throws(() => new Stripe("sk_none").webhooks.constructEvent(`${raw} `, signature, secret))

      const delivery = await vi.waitFor(
        async () => {
          const { body } = await business.get<ReadonlyArray<Delivery>>(`/webhooks/${endpoint_id}/deliveries`)
          assert.strictEqual(body.data.length, 1)
          const [first] = body.data
          assert.strictEqual(first?.status, "delivered")
          return first
        },
        { timeout: 60_000, interval: 10 }
      )
      assert.deepInclude(delivery, {
        event_id: event.id,
        event_type: "trip.created",
        attempt: 1,
        next_attempt_at: null,
        last_error: null,
        response_status: 204
      })

      const list = await business.get<ReadonlyArray<TripRecord>>("/trips")
      assert.deepStrictEqual(list.body.data, [recorded])
      assert.deepInclude(list.body.meta.pagination, { page: 1, per_page: 20, count: 1, has_more: false })
      const one = await business.get<TripRecord>(`/trips/${booked.body.data.trip_id}`)
      assert.deepStrictEqual(one.body.data, recorded)

      const reported = server.program.stdout() + server.program.stderr()
      for (const secretThing of [code, credentials.password, access_token, refresh_token, secret])
        assert.notInclude(reported, secretThing)
      assert.notInclude(reported, key.body.data.api_key)
    } finally {
      await ears.close()
    }
  })

  it("lets `users create` join the running server's database", async () => {
    const email = "second@hopper-cars.example"
    const created = await place.run(["users", "create", "--name", "Second", "--email", email], {
      input: "the second long password\n"
    })
    assert.strictEqual(created.code, 0, created.stderr)
    assert.include(created.stdout, email)
    const loggedIn = await clientOf(server.api).post<LoginResult>("/auth/login", {
      email,
      password: "the second long password"
    })
    assert.strictEqual(loggedIn.status, 200, loggedIn.text)
    const { status } = await clientOf(server.address).get("/health/ready")
    assert.strictEqual(status, 200, "the command that left did not take the database along")
  })
})

describe("livery serve on an empty directory", () => {
  let place: Installation
  beforeAll(async () => {
    place = await installation({ embedded: "absent" })
  })
  afterAll(() => place.remove())

  it("creates a demonstration business once, and prints its addresses", async () => {
    const first = await place.serve()
    const greeting = first.program.stdout()
    assert.include(greeting, first.api)
    assert.include(greeting, `${first.address}/docs`)
    assert.include(greeting, `${first.address}/openapi.json`)
    assert.include(greeting, place.directory)
    const [apiKey = ""] = /lvk_[\w-]{43}/u.exec(greeting) ?? []
    assert.isNotEmpty(apiKey)
    const demonstration = clientOf(first.api, bearer(apiKey))
    assert.strictEqual((await demonstration.get("/ping")).status, 200)

    const command = greeting.slice(greeting.indexOf("  curl "))
    const { stdout } = await runScript(command)
    const { data } = JSON.parse(stdout) as Envelope<TripRecordWithWarnings>
    assert.strictEqual(data.status, "confirmed")

    const { code } = await first.stop()
    assert.strictEqual(code, 0)
    assert.isUndefined(place.postmaster())

    const byRelativeName = { LIVERY_DATA_DIR: relative(process.cwd(), place.directory) }
    const second = await place.serve([], byRelativeName)
    const later = second.program.stdout()
    assert.include(later, place.directory)
    assert.notMatch(later, /lvk_|curl/u)
    const trips = await clientOf(second.api, bearer(apiKey)).get<ReadonlyArray<TripRecord>>("/trips")
    const { warnings: _warnings, ...recorded } = data
    assert.deepStrictEqual(trips.body.data, [recorded])
    const { body } = await clientOf(second.api, bearer(apiKey)).get<BusinessRecord>("/business")
    assert.strictEqual(body.data.business_id, 1)
    assert.strictEqual((await second.stop()).code, 0)
  })

  it("restricts its directory and its secret to the owner", async () => {
    for (const path of [place.directory, join(place.directory, "secret")])
      assert.strictEqual((await stat(path)).mode & 0o077, 0, path)
  })
})
