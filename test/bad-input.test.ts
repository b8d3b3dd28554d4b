import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { trip } from "./support/Account.ts"
import { issuesOf, refusalOf } from "./support/Refusal.ts"
import { type TwoBusinesses, twoBusinesses } from "./support/TwoBusinesses.ts"

const megabytes = (count: number) => count * 1024 * 1024

const chunked = (bytes: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let sent = 0; sent < bytes; sent += 65_536) controller.enqueue(new Uint8Array(65_536).fill(0x20))
      controller.close()
    }
  })

/** `trip()` with one more field, written by hand where `JSON.stringify` would not write it. */
const tripWith = (json: string) => `${JSON.stringify(trip()).slice(0, -1)},${json}}`

describe("for any body, the response is the envelope and nothing is written", () => {
  let here: TwoBusinesses
  beforeAll(async () => {
    here = await twoBusinesses()
  })
  afterAll(() => here.removeUnchanged())

  it.for(["{", "{]}", "'x'", '{"a":1', "nul", "﻿{", '{"a":"\u0000"}', "[".repeat(10_000)])(
    "malformed JSON is 400: %#",
    async (body) => {
      assert.deepStrictEqual(refusalOf(await here.post("/trips", body)), [400, "invalid_request"])
      assert.deepStrictEqual(refusalOf(await here.post("/auth/login", body)), [400, "invalid_request"])
    }
  )

  it.for(["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data", "x"])(
    "a wrong content type is 415: %s",
    async (type) => {
      assert.deepStrictEqual(
        refusalOf(await here.post("/trips", JSON.stringify(trip()), { "Content-Type": type })),
        [415, "invalid_request"]
      )
    }
  )

  it.for(["gzip", "br", "GZIP, identity", "x"])("a compressed body is 415: %s", async (encoding) => {
    const headers = { "Content-Encoding": encoding }
    assert.deepStrictEqual(refusalOf(await here.post("/trips", JSON.stringify(trip()), headers)), [
      415,
      "invalid_request"
    ])
    assert.deepStrictEqual(refusalOf(await here.post("/auth/login", "{}", headers)), [415, "invalid_request"])
  })

  it("a body with the encoding identity is read", async () => {
    assert.deepStrictEqual(refusalOf(await here.post("/trips", "{}", { "Content-Encoding": "identity" })), [
      422,
      "invalid_request"
    ])
  })

  it.for(["[]", "null", '"trip"', "7", "true", `${"[".repeat(10_000)}${"]".repeat(10_000)}`])(
    "JSON that is not an object is 422: %#",
    async (body) => {
      assert.deepStrictEqual(refusalOf(await here.post("/trips", body)), [422, "invalid_request"])
    }
  )

  it("a body over 1 MiB is 413, with a length or in chunks, and one of 1 MiB is accepted", async () => {
    const large = JSON.stringify({ ...trip(), notes: "x".repeat(megabytes(1)) })
    assert.deepStrictEqual(refusalOf(await here.post("/trips", large)), [413, "invalid_request"])
    assert.deepStrictEqual(refusalOf(await here.post("/auth/register", large)), [413, "invalid_request"])
    assert.deepStrictEqual(refusalOf(await here.post("/trips", chunked(megabytes(2)))), [
      413,
      "invalid_request"
    ])
    assert.deepStrictEqual(refusalOf(await here.post("/trips", "x".repeat(megabytes(10)))), [
      413,
      "invalid_request"
    ])
    assert.deepStrictEqual(refusalOf(await here.post("/trips", `{${" ".repeat(megabytes(1) - 2)}}`)), [
      422,
      "invalid_request"
    ])
    assert.deepStrictEqual(refusalOf(await here.post("/trips", `{${" ".repeat(megabytes(1) - 1)}}`)), [
      413,
      "invalid_request"
    ])
  })

  it("every missing field is named at once", async () => {
    const bare = await here.post("/trips", "{}")
    assert.deepStrictEqual(refusalOf(bare), [422, "invalid_request"])
    assert.deepStrictEqual(issuesOf(bare), {
      trip_date: "required",
      pickup_address: "required",
      dropoff_address: "required",
      customer_name: "required"
    })
    const blank = await here.post(
      "/trips",
      JSON.stringify({ ...trip(), customer_name: " ", pickup_address: "" })
    )
    assert.deepStrictEqual(issuesOf(blank), { customer_name: "required", pickup_address: "required" })
    assert.deepStrictEqual(issuesOf(await here.post("/auth/register", "{}")), {
      name: "required",
      email: "required",
      password: "required",
      business_name: "required"
    })
    assert.deepStrictEqual(issuesOf(await here.post("/auth/login", "{}")), {
      email: "required",
      password: "required"
    })
    assert.deepStrictEqual(issuesOf(await here.post("/auth/verify-email", "{}")), { code: "required" })
    assert.deepStrictEqual(issuesOf(await here.post("/webhooks", "{}")), {
      url: "required",
      events: "required"
    })
  })

  it("every wrong field is named at once, with its issue", async () => {
    const answer = await here.post(
      "/trips",
      JSON.stringify({
        ...trip("x".repeat(201)),
        trip_date: "2031-02-30T09:30:00Z",
        customer_email: "a@b.example\r\nBcc: everyone@c.example",
        trip_type: "teleport",
        pickup_lat: 90.5,
        pickup_lng: "east",
        participants_count: 0,
        currency: "XXX",
        car_id: "first"
      })
    )
    assert.deepStrictEqual(refusalOf(answer), [422, "invalid_request"])
    assert.deepStrictEqual(issuesOf(answer), {
      trip_date: "invalid",
      customer_name: "too_long",
      customer_email: "invalid",
      trip_type: "unknown_value",
      pickup_lat: "out_of_range",
      pickup_lng: "invalid",
      participants_count: "out_of_range",
      currency: "unknown_value",
      car_id: "invalid"
    })
  })

  it.for([
    ['"total_amount":1e400', "total_amount"],
    ['"total_amount":-0.01', "total_amount"],
    ['"total_amount":1.005', "total_amount"],
    ['"total_amount":"129.50"', "total_amount"],
    ['"car_id":999999', "car_id"],
    ['"notes":"a\\u0000b"', "notes"],
    ['"notes":"\\ud800"', "notes"],
    [`"notes":${"[".repeat(10_000)}${"]".repeat(10_000)}`, "notes"],
    [`"notes":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, "notes"],
    ['"customer_phone":{"__proto__":{"length":1}}', "customer_phone"]
  ] as const)("one wrong field is named alone: %#", async ([json, field]) => {
    const answer = await here.post("/trips", tripWith(json))
    assert.deepStrictEqual(refusalOf(answer), [422, "invalid_request"])
    assert.deepStrictEqual(Object.keys(issuesOf(answer)), [field])
  })

  it("`__proto__` and `constructor` fill no field", async () => {
    const body = `{"__proto__":${JSON.stringify(trip())},"constructor":{"prototype":${JSON.stringify(trip())}}}`
    const answer = await here.post("/trips", body)
    assert.deepStrictEqual(refusalOf(answer), [422, "invalid_request"])
    assert.lengthOf(Object.keys(issuesOf(answer)), 4)
  })

  it.for([
    ["/webhooks", "url", { url: "https://a.example/\u0000", events: ["trip.created"] }],
    ["/webhooks", "url", { url: "https://a.example/\ud800", events: ["trip.created"] }],
    ["/webhooks", "url", { url: "ftp://a.example/", events: ["trip.created"] }],
    ["/webhooks", "url", { url: "https://me:secret@a.example/", events: ["trip.created"] }],
    ["/webhooks", "url", { url: `https://a.example/${"x".repeat(2048)}`, events: ["trip.created"] }],
    ["/webhooks", "events", { url: "https://a.example/", events: [] }],
    ["/webhooks", "events.1", { url: "https://a.example/", events: ["trip.created", "trip.exploded"] }],
    ["/auth/verify-email", "code", { code: "\u0000" }],
    ["/auth/verify-email", "code", { code: "x".repeat(101) }],
    ["/auth/login", "email", { email: "a\u0000@b.example", password: "x" }],
    ["/auth/register", "password", { password: "seven77" }],
    ["/auth/register", "password", { password: "x".repeat(257) }],
    ["/auth/register", "password", { password: "a\u0000bcdefgh" }],
    ["/auth/register", "name", { name: "\udfff" }],
    ["/auth/register", "email", { email: "a@b.example, c@d.example" }],
    ["/auth/register", "email", { email: "a@b.example\nBcc: c@d.example" }],
    ["/auth/register", "website_url", { website_url: "javascript:alert(1)" }],
    ["/auth/register", "website_url", { website_url: "https://a\u0000.example" }],
    ["/auth/register", "website_url", { website_url: "https://a.example/\ud800" }]
  ] as const)("%s refuses a bad `%s`: %#", async ([path, field, wrong]) => {
    const filler =
      path === "/auth/register"
        ? { name: "A", email: "new@cars.example", password: "long enough", business_name: "B" }
        : {}
    const answer = await here.post(path, JSON.stringify({ ...filler, ...wrong }))
    assert.deepStrictEqual(refusalOf(answer), [422, "invalid_request"])
    assert.deepStrictEqual(Object.keys(issuesOf(answer)), [field], answer.text)
  })

  it("an email that has an account is 409 email_exists, in any case", async () => {
    const email = ` ${here.account.email.toUpperCase()} `
    const body = { name: "A", email, password: "long enough", business_name: "B" }
    assert.deepStrictEqual(refusalOf(await here.post("/auth/register", JSON.stringify(body))), [
      409,
      "email_exists"
    ])
  })
})
