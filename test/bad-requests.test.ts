import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { trip } from "./support/Account.ts"
import { answerOf, bearer, clientOf, type Envelope } from "./support/Client.ts"
import { rawExchange } from "./support/RawSocket.ts"
import { issuesOf, refusalOf, requestId } from "./support/Refusal.ts"
import { type TwoBusinesses, twoBusinesses } from "./support/TwoBusinesses.ts"

describe("for any request, the response is the envelope and nothing is written", () => {
  let here: TwoBusinesses
  beforeAll(async () => {
    here = await twoBusinesses()
  })
  afterAll(() => here.removeUnchanged())

  it.for(["/nope", "/", "/trips/1/2/3", "/../../etc/passwd", "/trips%2f1"])(
    "an unknown route is 404: %s",
    async (path) => {
      assert.deepStrictEqual(refusalOf(await here.send(path)), [404, "not_found"])
      const outside = await answerOf(await fetch(`${here.server.address}/no/such/place`, { method: "POST" }))
      assert.deepStrictEqual(refusalOf(outside), [404, "not_found"])
    }
  )

  it.for([
    ["PUT", "/trips", "GET, POST, HEAD, OPTIONS"],
    ["DELETE", "/ping", "GET, HEAD, OPTIONS"],
    ["GET", "/auth/login", "POST, OPTIONS"],
    ["PROPFIND", "/webhooks", "GET, POST, HEAD, OPTIONS"]
  ] as const)("a wrong method is 405 with Allow: %s %s", async ([method, path, allowed]) => {
    const answer = await here.send(path, { method })
    assert.deepStrictEqual(refusalOf(answer), [405, "invalid_request"])
    assert.strictEqual(answer.headers.get("allow"), allowed)
  })

  it.for([
    "abc",
    "0",
    "-1",
    "1.5",
    "1e0",
    "0x1",
    "+1",
    "%201",
    "1%00",
    "9007199254740993",
    "9223372036854775808",
    "99999999999999999999999",
    "%zz",
    "%",
    "%C3%28",
    "..%2f1",
    "١"
  ])("a malformed id is 404: %s", async (id) => {
    // With the owner's key, so that an id that is read as a number after all would find the record.
    const headers = bearer(here.other.apiKey)
    const answer = await here.send(`/trips/${id}`, { headers })
    assert.deepStrictEqual(refusalOf(answer), [404, "not_found"])
    assert.deepStrictEqual(refusalOf(await here.send(`/webhooks/${id}/deliveries`, { headers })), [
      404,
      "not_found"
    ])
  })

  it("an id of another business gives the same response as an absent one", async () => {
    const alike = async (foreign: string, absent: string) => {
      const [one, two] = [await here.send(foreign), await here.send(absent)]
      assert.deepStrictEqual(refusalOf(one), [404, "not_found"])
      assert.deepStrictEqual({ ...one.body, meta: {} }, { ...two.body, meta: {} })
    }
    await alike(`/trips/${here.othersTrip.trip_id}`, "/trips/987654321")
    await alike(`/webhooks/${here.othersEndpoint.endpoint_id}/deliveries`, "/webhooks/987654321/deliveries")
    assert.strictEqual((await here.other.client.get(`/trips/${here.othersTrip.trip_id}`)).status, 200)
    assert.deepStrictEqual((await here.account.client.get("/trips")).body.data, [])
  })

  it.for([
    ["/trips?page=0", ["page"]],
    ["/trips?page=-1", ["page"]],
    ["/trips?page=1.5", ["page"]],
    ["/trips?page=x", ["page"]],
    ["/trips?page=", ["page"]],
    ["/trips?page=1&page=2", ["page"]],
    ["/trips?page=99999999999999999999", ["page"]],
    ["/trips?status=flying&payment_status=maybe&filter=some", ["status", "payment_status", "filter"]],
    ["/trips?date_from=2031-02-30&date_to=tomorrow", ["date_from", "date_to"]],
    ["/trips?status=%00", ["status"]]
  ] as const)("a query out of range is 422: %s", async ([path, fields]) => {
    const answer = await here.send(path)
    assert.deepStrictEqual(refusalOf(answer), [422, "invalid_request"])
    assert.sameMembers(Object.keys(issuesOf(answer)), [...fields])
  })

  it.for(["page=0", "per_page=0", "per_page=101", "per_page=ten", "per_page=1e1"])(
    "a page out of range of the deliveries is 422: %s",
    async (query) => {
      const path = `/webhooks/${here.othersEndpoint.endpoint_id}/deliveries?${query}`
      const answer = await here.send(path, { headers: bearer(here.other.apiKey) })
      assert.deepStrictEqual(refusalOf(answer), [422, "invalid_request"])
      assert.deepStrictEqual(Object.keys(issuesOf(answer)), [query.split("=", 1)[0]])
    }
  )

  it.for([
    "",
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Basic eDp5",
    "lvk_abc",
    `Bearer lvk_${"a".repeat(43)}`,
    `Bearer ${"a".repeat(8000)}`,
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
    "Bearer \u00e9\u00ff"
  ])("a missing or malformed credential is 401: %#", async (authorization) => {
    const headers = authorization === "" ? {} : { authorization }
    for (const path of ["/ping", "/me", `/trips/${here.othersTrip.trip_id}`]) {
      const answer = await answerOf(await fetch(`${here.server.api}${path}`, { headers }))
      assert.deepStrictEqual(refusalOf(answer), [401, "unauthorized"])
    }
    const booking = await answerOf(
      await fetch(`${here.server.api}/trips`, { method: "POST", headers, body: JSON.stringify(trip()) })
    )
    assert.deepStrictEqual(refusalOf(booking), [401, "unauthorized"])
  })

  it("an access token that was altered is 401", async () => {
    const [head = "", claims = "", signature = ""] = here.account.accessToken.split(".")
    const theirs = here.other.accessToken.split(".")[1] ?? ""
    for (const token of [`${head}.${theirs}.${signature}`, `${head}.${claims}.`, `${head}.${claims}`])
      assert.deepStrictEqual(refusalOf(await here.send("/me", { headers: bearer(token) })), [
        401,
        "unauthorized"
      ])
  })

  it("an X-Business-Id that is malformed or another business's is refused", async () => {
    const as = (id: string) =>
      here.send("/business", { headers: { ...bearer(here.account.accessToken), "X-Business-Id": id } })
    assert.strictEqual((await as(String(here.account.businessId))).status, 200)
    assert.deepStrictEqual(refusalOf(await as(String(here.other.businessId))), [403, "forbidden"])
    assert.deepStrictEqual(refusalOf(await as("987654321")), [403, "forbidden"])
    for (const id of ["abc", "1.5", "-1", "0", "1e0", "99999999999999999999", "1, 2"]) {
      const answer = await as(id)
      assert.include([403, 422], answer.status, `${id}: ${answer.text}`)
      assert.deepStrictEqual(refusalOf(answer), [
        answer.status,
        answer.status === 403 ? "forbidden" : "invalid_request"
      ])
    }
  })

  it("an API key is refused on routes of users", async () => {
    assert.deepStrictEqual(refusalOf(await here.send("/me")), [403, "forbidden"])
    assert.deepStrictEqual(refusalOf(await here.post("/me/api-keys", "{}")), [403, "forbidden"])
  })

  it("a URL of 20 kB is refused in the envelope", async () => {
    assert.deepStrictEqual(refusalOf(await here.send(`/trips?status=${"x".repeat(20_000)}`)), [
      400,
      "invalid_request"
    ])
    assert.deepStrictEqual(refusalOf(await here.send(`/${"x".repeat(10_000)}`)), [404, "not_found"])
  })

  it.for([
    "\u0016\u0003\u0001\u0002\u0000garbage\r\n\r\n",
    "FLY / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET\r\n\r\n",
    "GET /api/v1/ping HTTP/1.1\r\n\r\n",
    "GET /api/v1/ping HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
    "GET /api/v1/ping HTTP/9.9\r\nHost: a\r\n\r\n",
    `GET /api/v1/ping HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    "GET /api/v1/ping HTTP/1.1\r\nHost: a\r\nX\u0000Y: 1\r\n\r\n",
    "POST /api/v1/trips HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
    "POST /api/v1/trips HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /api/v1/trips HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n"
  ])("bytes that are not HTTP are answered 400 in the envelope: %#", async (bytes) => {
    const received = await rawExchange(here.server.address, bytes)
    const last = received.slice(received.lastIndexOf("HTTP/1.1 "))
    assert.match(last, /^HTTP\/1\.1 400 /u, received)
    const body = JSON.parse(last.slice(last.indexOf("{"), last.lastIndexOf("}") + 1)) as Envelope<unknown>
    assert.strictEqual(body.error?.type, "invalid_request")
    assert.match(body.meta.request_id, requestId)
    assert.match(last, new RegExp(`^x-request-id: ${body.meta.request_id}\\r$`, "imu"))
  })

  it("an unknown expectation is ignored, and an HTTP/1.0 client without a host is served", async () => {
    const expecting = "GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n"
    assert.match(await rawExchange(here.server.address, expecting), /^HTTP\/1\.1 200 [\s\S]*"live"/u)
    assert.match(
      await rawExchange(here.server.address, "GET /health/live HTTP/1.0\r\n\r\n"),
      /^HTTP\/1\.1 200 /u
    )
  })

  it("a pre-flight is 204 on any path", async () => {
    for (const path of ["/trips", "/nope", "/trips/%zz"]) {
      const { headers, status } = await fetch(`${here.server.api}${path}`, {
        method: "OPTIONS",
        headers: { Origin: "https://app.example", "Access-Control-Request-Method": "POST" }
      })
      assert.strictEqual(status, 204)
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.match(String(headers.get("x-request-id")), requestId)
    }
  })

  it("an aborted request leaves no connection behind", async () => {
    const { hostname, port } = new URL(here.server.address)
    const head = `POST /api/v1/trips HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${here.account.apiKey}\r\n`
    const bytes = `${head}Content-Type: application/json\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n`
    const aborted = () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port) })
          .on("error", reject)
          .on("close", () => resolve())
          // With the first bytes of its response, the server has received the head of the request.
          .once("data", () => socket.write('{"trip_date":"2031', () => socket.destroy()))
        socket.write(bytes)
      })
    await Promise.all(Array.from({ length: 30 }, aborted))
    assert.strictEqual(
      (await clientOf(here.server.api, bearer(here.account.apiKey)).get("/ping")).status,
      200
    )
  })
})
