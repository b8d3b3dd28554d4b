import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { livery, LiveryError } from "../src/index.ts"
import { fakeServer, ok, refusal } from "./FakeServer.ts"

const baseUrl = "https://livery.example/api/v1"
const apiKey = "lvk_1"
const trip = {
  customer_name: "Ada",
  trip_date: "2031-05-04T09:30:00Z",
  pickup_address: "Airport",
  dropoff_address: "Hotel"
}
const lost = new TypeError("fetch failed")

const errorOf = async (call: Promise<unknown>) => {
  try {
    await call
  } catch (error) {
    if (error instanceof LiveryError) return error
    throw error
  }
  throw new Error("it did not fail")
}

describe("a request that fails", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }))
  afterEach(() => void vi.useRealTimers())

  /** The result of a call whose waits pass at once, and the time that it waited. */
  const waited = async <A>(call: () => Promise<A>) => {
    const begun = Date.now()
    const state = { isOver: false }
    const result = call().finally(() => (state.isOver = true))
    result.catch(() => undefined)
    while (!state.isOver) await vi.advanceTimersByTimeAsync(100)
    return { result: await result, time: Date.now() - begun }
  }

  it("is sent again with the same Idempotency-Key after a lost connection, 502, 503, 429, and 409 with Retry-After", async () => {
    for (const fault of [
      lost,
      refusal(502, "server_error"),
      refusal(503, "pdf_unavailable"),
      refusal(429, "rate_limited", { "retry-after": "1" }),
      refusal(409, "conflict", { "retry-after": "1" })
    ]) {
      const { fetch, sent } = fakeServer(fault, ok({ trip_id: 7 }))
      const client = livery({ baseUrl, apiKey, fetch })
      const { result } = await waited(() => client.trips.create(trip))
      assert.strictEqual(result.trip_id, 7)
      const keys = sent.map(({ headers }) => headers["idempotency-key"])
      assert.strictEqual(keys.length, 2)
      assert.match(keys[0] ?? "", /^\d+(?:-\d+){3}$/)
      assert.strictEqual(keys[0], keys[1])
    }
  })

  it("is sent again if the connection is lost within the response", async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new TypeError("terminated"))
    })
    const { fetch, sent } = fakeServer(new Response(broken), ok({ ok: true }))
    const { result } = await waited(() => livery({ baseUrl, apiKey, fetch }).business.ping())
    assert.deepStrictEqual([result.ok, sent.length], [true, 2])
  })

  it("waits as long as Retry-After says", async () => {
    const { fetch } = fakeServer(refusal(429, "rate_limited", { "retry-after": "7" }), ok([]))
    const { time } = await waited(() => livery({ baseUrl, apiKey, fetch }).me.listBusinesses())
    assert.isAtLeast(time, 7000)
  })

  it("waits until the HTTP date of Retry-After; without a time in it, as after other faults", async () => {
    for (const [after, least, most] of [
      [() => new Date(Date.now() + 9000).toUTCString(), 7900, 10_000],
      [() => new Date(Date.now() - 9000).toUTCString(), 0, 1000],
      [() => "soon", 0, 1000]
    ] as const) {
      const { fetch, sent } = fakeServer(refusal(429, "rate_limited", { "retry-after": after() }), ok([]))
      const { time } = await waited(() => livery({ baseUrl, apiKey, fetch }).me.listBusinesses())
      assert.strictEqual(sent.length, 2)
      assert.isAtLeast(time, least)
      assert.isAtMost(time, most)
    }
  })

  it("is not sent again if Retry-After is longer than a minute, nor more than three times", async () => {
    const long = fakeServer(refusal(429, "rate_limited", { "retry-after": "61" }))
    const error = await errorOf(livery({ baseUrl, apiKey, fetch: long.fetch }).business.ping())
    assert.deepStrictEqual([error.type, error.status, long.sent.length], ["rate_limited", 429, 1])
    const date = fakeServer(
      refusal(429, "rate_limited", { "retry-after": new Date(Date.now() + 90_000).toUTCString() })
    )
    await errorOf(livery({ baseUrl, apiKey, fetch: date.fetch }).business.ping())
    assert.strictEqual(date.sent.length, 1)
    const down = fakeServer(lost, lost, lost, lost, lost)
    const client = livery({ baseUrl, apiKey, fetch: down.fetch })
    const { result } = await waited(() => errorOf(client.business.ping()))
    assert.deepStrictEqual([result.type, result.status, down.sent.length], ["unreachable", 0, 4])
    assert.strictEqual(result.cause, lost)
  })

  it("is not sent again if it is a change without a key whose response was lost", async () => {
    for (const fault of [lost, refusal(502, "server_error")]) {
      const { fetch, sent } = fakeServer(fault)
      await errorOf(livery({ baseUrl, apiKey, fetch }).trips.update({ id: 7, notes: "Gate 3" }))
      assert.strictEqual(sent.length, 1)
    }
  })

  it("is not sent again after a refusal", async () => {
    for (const [status, type] of [
      [409, "conflict"],
      [422, "invalid_request"],
      [404, "not_found"],
      [500, "server_error"],
      [502, "payment_link_failed"]
    ] as const) {
      const { fetch, sent } = fakeServer(refusal(status, type))
      const error = await errorOf(livery({ baseUrl, apiKey, fetch }).trips.create(trip))
      assert.deepStrictEqual([error.status, error.type, sent.length], [status, type, 1])
    }
  })

  it("ends at once, without a further attempt, when its signal aborts", async () => {
    const { fetch, sent } = fakeServer(lost, lost)
    const stop = new AbortController()
    const call = livery({ baseUrl, apiKey, fetch }).business.ping(undefined, { signal: stop.signal })
    await vi.advanceTimersByTimeAsync(1)
    stop.abort(new Error("enough"))
    const reason = await call.then(
      () => undefined,
      (error: Error) => error.message
    )
    assert.deepStrictEqual([reason, sent.length], ["enough", 1])
  })
})

describe("a header of the caller", () => {
  it("replaces the client's header of the same name, in any spelling", async () => {
    const { fetch, sent } = fakeServer(ok({}), ok({}))
    const client = livery({ baseUrl, apiKey, fetch, headers: { ACCEPT: "a", "X-Desk": "1", "x-hall": "2" } })
    await client.trips.create(trip, { headers: { "Idempotency-Key": "k", "x-desk": "3" } })
    await client.request("POST", "/trips", { body: trip, headers: { "IDEMPOTENCY-KEY": "k" } })
    assert.deepStrictEqual(sent[0]?.headers, {
      accept: "a",
      "content-type": "application/json",
      authorization: "Bearer lvk_1",
      "idempotency-key": "k",
      "x-desk": "3",
      "x-hall": "2"
    })
    assert.strictEqual(new Headers(sent[1]?.headers).get("idempotency-key"), "k")
  })
})

describe("an error", () => {
  it("has the type, the details, the status and the request's id, and its details by its type", async () => {
    const details = [{ field: "trip_date", issue: "invalid" }]
    const { fetch } = fakeServer(refusal(422, "invalid_request", {}, { details }))
    const error = await errorOf(livery({ baseUrl, apiKey, fetch }).trips.create(trip))
    assert.deepStrictEqual([error.status, error.requestId, error.name], [422, "req_2", "LiveryError"])
    assert.isTrue(error.type === "invalid_request" && error.details?.[0]?.field === "trip_date")
  })

  it("is unexpected_response for a page that a proxy sent", async () => {
    const { fetch } = fakeServer(new Response("<h1>Not here</h1>", { status: 404 }))
    const error = await errorOf(livery({ baseUrl, apiKey, fetch }).business.ping())
    assert.deepStrictEqual([error.type, error.status], ["unexpected_response", 404])
    assert.include(error.message, "Not here")
  })

  it("is no redirect for a location with a status that does not redirect", async () => {
    const headers = { location: "https://proxy.example/made" }
    const { fetch } = fakeServer(new Response("Made", { status: 201, headers }))
    const error = await errorOf(livery({ baseUrl, apiKey, fetch }).business.ping())
    assert.strictEqual(error.message, "Status 201 with an unknown body: Made")
  })

  it("is unexpected_response for a redirect, which is not followed", async () => {
    const headers = { location: "https://other.example/" }
    const { fetch, sent } = fakeServer(new Response(null, { status: 302, headers }))
    const error = await errorOf(livery({ baseUrl, apiKey, fetch }).business.ping())
    assert.deepStrictEqual([error.type, error.status], ["unexpected_response", 302])
    assert.include(error.message, "https://other.example/")
    assert.strictEqual(sent.length, 1)
  })

  it("says which field of the path is missing, before anything is sent", async () => {
    const { fetch, sent } = fakeServer()
    const client = livery({ baseUrl, apiKey, fetch })
    // @ts-expect-error The id is required.
    const failed = await client.trips.read({}).then(() => "", String)
    assert.deepStrictEqual([failed, sent.length], ["TypeError: trips.read needs id", 0])
  })
})

describe("a change with ifMatch", () => {
  it("sends the ETag that the record came with", async () => {
    const { fetch, sent } = fakeServer(ok({ trip_id: 7 }, { etag: '"v1"' }), ok({ trip_id: 7 }), ok({}))
    const client = livery({ baseUrl, apiKey, fetch })
    const read = await client.trips.read({ id: 7 })
    await client.trips.update({ id: 7, notes: "Gate 3" }, { ifMatch: read })
    await client.trips.update({ id: 7, notes: "Gate 4" }, { ifMatch: '"v2"' })
    assert.deepStrictEqual(
      sent.map(({ body, headers, method }) => [method, headers["if-match"], body]),
      [
        ["GET", undefined, undefined],
        ["PATCH", '"v1"', { notes: "Gate 3" }],
        ["PATCH", '"v2"', { notes: "Gate 4" }]
      ]
    )
  })

  it("is refused for an object that is no record of this client", async () => {
    const { fetch } = fakeServer()
    const call = livery({ baseUrl, apiKey, fetch }).trips.update({ id: 7, notes: "" }, { ifMatch: {} })
    assert.match(await call.then(() => "", String), /^TypeError: ifMatch/)
  })
})

describe("a list", () => {
  const meta = (pagination: object) => ({ pagination: { count: 1, per_page: 1, ...pagination } })

  it("follows pages by number, by cursor and by event, with the filters of the first request", async () => {
    const { fetch, sent } = fakeServer(
      ok([{ car_id: 1 }], {}, meta({ page: 1, has_more: true })),
      ok([{ car_id: 2 }], {}, meta({ page: 2, has_more: false })),
      ok([{ trip_id: 1 }], {}, meta({ page: 1, has_more: true, next_cursor: "c/1" })),
      ok([], {}, meta({ page: 2, has_more: true, next_cursor: "c2" })),
      ok([{ trip_id: 2 }], {}, meta({ page: 3, has_more: false })),
      ok([{ id: "evt_1" }], {}, meta({ has_more: true, next_after: "a1" })),
      ok([], {}, meta({ has_more: false, next_after: "a1" }))
    )
    const client = livery({ baseUrl, apiKey, fetch })
    const ids: Array<unknown> = []
    for await (const { car_id } of client.cars.list({ active: true })) ids.push(car_id)
    for await (const { trip_id } of client.trips.list({ status: "pending" })) ids.push(trip_id)
    for await (const { id } of client.events.list()) ids.push(id)
    assert.deepStrictEqual(ids, [1, 2, 1, 2, "evt_1"])
    assert.deepStrictEqual(
      sent.map(({ url }) => url.slice(baseUrl.length)),
      [
        "/cars?active=true",
        "/cars?active=true&page=2",
        "/trips?status=pending",
        "/trips?status=pending&cursor=c%2F1",
        "/trips?status=pending&cursor=c2",
        "/events",
        "/events?after=a1"
      ]
    )
  })

  it("is read as a CSV file with its filters, in one request", async () => {
    const server = fakeServer(new Response("name\r\nAda\r\n", { headers: { "content-type": "text/csv" } }))
    const client = livery({ baseUrl, apiKey, fetch: server.fetch })
    const file = await client.customers.list({ search: "ada" }).csv()
    assert.strictEqual(await file.text(), "name\r\nAda\r\n")
    assert.deepStrictEqual(
      server.sent.map(({ headers, url }) => [headers["accept"], url]),
      [["text/csv", `${baseUrl}/customers?search=ada`]]
    )
  })

  it("asks for nothing before it is read, and gives a page alone with its meta", async () => {
    const { fetch, sent } = fakeServer(ok([{ car_id: 1 }], {}, meta({ page: 1, has_more: false, total: 1 })))
    const list = livery({ baseUrl, apiKey, fetch }).cars.list()
    assert.strictEqual(sent.length, 0)
    const page = await list.page()
    assert.deepStrictEqual([page.data.length, page.meta.pagination.total], [1, 1])
    assert.isUndefined(await page.next())
  })
})

describe("an operation whose body is a list", () => {
  it("takes its parameters as named fields of the list", async () => {
    const { fetch, sent } = fakeServer(ok([]), ok([]))
    const client = livery({ baseUrl, apiKey, fetch })
    const batch = [{ trip_id: 7, driver_ids: [3] }]
    await client.dispatch.assign(Object.assign([...batch], { dry_run: true }))
    await client.dispatch.assign(batch)
    assert.deepStrictEqual(
      sent.map(({ body, url }) => [url, body]),
      [
        [`${baseUrl}/dispatch/assignments?dry_run=true`, batch],
        [`${baseUrl}/dispatch/assignments`, batch]
      ]
    )
  })
})
