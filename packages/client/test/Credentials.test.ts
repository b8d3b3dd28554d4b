import { afterEach, assert, describe, it, vi } from "vitest"
import { livery, LiveryError, type Tokens } from "../src/index.ts"
import { fakeServer, ok, refusal, type Sent } from "./FakeServer.ts"

const baseUrl = "https://livery.example/api/v1"

const issued = (number: number) =>
  ok({ access_token: `access${number}`, refresh_token: `lvr_${number}`, expires_in: 900 })

const shown = ({ headers, method, url }: Sent) =>
  [method, url.slice(baseUrl.length), headers["authorization"]?.slice(7)].join(" ")

describe("a credential", () => {
  it("is sent as a bearer, with the business that a user acts for; public operations get none", async () => {
    const { fetch, sent } = fakeServer(ok({}), ok({}), ok({}))
    const client = livery({ baseUrl, accessToken: () => "access1", businessId: 3, fetch })
    await client.business.ping()
    await client.business.ping(undefined, { businessId: 4 })
    await client.publicTracking.location({ token: "lvt_1" })
    assert.deepStrictEqual(
      sent.map(({ headers }) => [headers["authorization"], headers["x-business-id"]]),
      [
        ["Bearer access1", "3"],
        ["Bearer access1", "4"],
        [undefined, "3"]
      ]
    )
  })

  it("of a driver's link is the parameter token", async () => {
    const { fetch, sent } = fakeServer(ok({}), ok({ recorded: true }))
    const client = livery({ baseUrl, driverToken: "drv_1", fetch })
    await client.driverToken.trip()
    await client.driverToken.location({ lat: 47.4, lng: 8.5 })
    assert.deepStrictEqual(sent.map(shown), [
      "GET /driver/trip?token=drv_1 ",
      "POST /driver/location?token=drv_1 "
    ])
    assert.deepStrictEqual(sent[1]?.body, { lat: 47.4, lng: 8.5 })
  })
})

describe("a session", () => {
  afterEach(() => void vi.unstubAllGlobals())

  it("is refreshed once for all calls that its access token is refused for, and tells the new tokens", async () => {
    const { fetch, sent } = fakeServer(
      refusal(401, "unauthorized"),
      refusal(401, "unauthorized"),
      issued(2),
      ok({}),
      ok({})
    )
    const changes: Array<Tokens | undefined> = []
    const session = {
      accessToken: "access1",
      refreshToken: "lvr_1",
      onChange: (tokens: Tokens | undefined) => void changes.push(tokens)
    }
    const client = livery({ baseUrl, session, fetch })
    await Promise.all([client.business.ping(), client.me.read()])
    assert.deepStrictEqual(sent.map(shown), [
      "GET /ping access1",
      "GET /me access1",
      "POST /auth/refresh ",
      "GET /ping access2",
      "GET /me access2"
    ])
    assert.deepStrictEqual(sent[2]?.body, { refresh_token: "lvr_1" })
    assert.deepStrictEqual(changes, [{ accessToken: "access2", refreshToken: "lvr_2" }])
  })

  it("that has ended throws the refusal, and says so", async () => {
    const { fetch, sent } = fakeServer(
      refusal(401, "unauthorized"),
      refusal(401, "unauthorized"),
      refusal(401, "unauthorized")
    )
    const changes: Array<unknown> = []
    const session = { accessToken: "a", refreshToken: "r", onChange: (it: unknown) => void changes.push(it) }
    const error: unknown = await livery({ baseUrl, session, fetch })
      .me.read()
      .catch((it: unknown) => it)
    assert.isTrue(error instanceof LiveryError && error.type === "unauthorized")
    assert.deepStrictEqual(changes, [undefined])
    assert.deepStrictEqual(sent.map(shown), ["GET /me a", "POST /auth/refresh ", "GET /me "])
  })

  it("is kept while the server is not reachable", async () => {
    const { fetch } = fakeServer(
      refusal(401, "unauthorized"),
      refusal(500, "server_error"),
      issued(2),
      ok({})
    )
    const client = livery({ baseUrl, session: { accessToken: "a", refreshToken: "r" }, fetch })
    const error: unknown = await client.me.read().catch((it: unknown) => it)
    assert.isTrue(error instanceof LiveryError && error.type === "server_error")
    await client.me.read()
  })

  it("begins with a login, and ends with a logout of its refresh token", async () => {
    const { fetch, sent } = fakeServer(issued(1), ok({}), ok({ logged_out: true }))
    const changes: Array<unknown> = []
    const session = { refreshToken: "", onChange: (it: unknown) => void changes.push(it) }
    const client = livery({ baseUrl, session, fetch })
    await client.auth.login({ email: "ada@example.com", password: "correct horse battery" })
    await client.me.read()
    await client.auth.logout()
    assert.deepStrictEqual(sent.map(shown), [
      "POST /auth/login ",
      "GET /me access1",
      "POST /auth/logout access1"
    ])
    assert.deepStrictEqual(sent[2]?.body, { refresh_token: "lvr_1" })
    assert.deepStrictEqual(changes, [{ accessToken: "access1", refreshToken: "lvr_1" }, undefined])
  })

  it("in a cookie sends no refresh token, only a header that asks for the cookie", async () => {
    const { fetch, sent } = fakeServer(ok({ access_token: "access1", expires_in: 900 }), ok({}), ok({}))
    const client = livery({ baseUrl, session: { cookie: true }, fetch })
    await client.me.read()
    await client.auth.logout()
    assert.deepStrictEqual(
      sent.map(({ body, headers, url }) => [url.slice(baseUrl.length), headers["livery-session"], body]),
      [
        ["/auth/refresh", "cookie", {}],
        ["/me", undefined, undefined],
        ["/auth/logout", "cookie", {}]
      ]
    )
  })

  it("is refreshed once if a call waits while the program refreshes it", async () => {
    for (const session of [{ cookie: true }, { refreshToken: "lvr_1" }] as const) {
      const { fetch, sent } = fakeServer(issued(2), ok({}))
      const client = livery({ baseUrl, session, fetch })
      await Promise.all([client.auth.refresh({}), client.me.read()])
      assert.deepStrictEqual(sent.map(shown), ["POST /auth/refresh ", "GET /me access2"])
      assert.deepStrictEqual(sent[0]?.body, "cookie" in session ? {} : { refresh_token: "lvr_1" })
    }
  })

  it("in a cookie is refreshed under the lock of all tabs, also by the program", async () => {
    const log: Array<string> = []
    const request = async (name: string, work: () => Promise<unknown>) => {
      log.push(`lock ${name}`)
      return work().finally(() => log.push("release"))
    }
    vi.stubGlobal("navigator", { locks: { request } })
    const server = fakeServer(issued(1), issued(2), ok({}))
    const fetch = (url: string, init: RequestInit) => {
      log.push(url.slice(baseUrl.length))
      return server.fetch(url, init)
    }
    await livery({ baseUrl, session: { cookie: true }, fetch }).auth.refresh({})
    await livery({ baseUrl, session: { cookie: true }, fetch }).me.read()
    const refresh = ["lock livery-session", "/auth/refresh", "release"]
    assert.deepStrictEqual(log, [...refresh, ...refresh, "/me"])
  })
})
