import type { CreatedApiKey, LoginResult } from "@livery/domain"
import { get, type IncomingMessage } from "node:http"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { outcomeOf } from "./support/Program.ts"
import type { Server } from "./support/Server.ts"

/** A stream as a browser reads it, with the text that has come so far. */
interface Stream {
  readonly response: IncomingMessage
  readonly soFar: () => string
  readonly isOver: () => boolean
  readonly leave: () => void
}

const streamOf = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  new Promise<Stream>((resolve, reject) => {
    const request = get(address, { headers }, (response) => {
      let text = ""
      let over = false
      response.setEncoding("utf8")
      response.on("data", (part: string) => {
        text += part
      })
      response.on("close", () => {
        over = true
      })
      response.on("error", () => undefined)
      resolve({
        response,
        soFar: () => text,
        isOver: () => over,
        leave: () => void request.destroy()
      })
    })
    request.on("error", reject)
  })

const until = (holds: () => boolean | Promise<boolean>, within = 60_000) =>
  vi.waitUntil(holds, { timeout: within, interval: 10 })

const position = (lat: number) => new RegExp(`^event: position\\ndata: .*"lat":${lat},`, "mu")

/** A trip with a driver who is under way: the trip's path, and the driver's token. */
const underWay = async (server: Server, { client }: Account, driverId: number) => {
  const { body: booked } = await client.post<{ readonly trip_id: number }>("/trips", trip())
  const path = `/trips/${booked.data.trip_id}`
  const { body: assigned, text } = await client.post<{
    readonly drivers: ReadonlyArray<{ readonly driver_token: string }>
  }>(`${path}/drivers`, { driver_ids: [driverId] })
  const token = assigned.data.drivers[0]?.driver_token
  assert.isString(token, text)
  const driver = clientOf(server.api)
  const tell = async (lat: number) => {
    const answer = await driver.post(`/driver/location?token=${token}`, { lat, lng: 8.5 })
    assert.deepStrictEqual(answer.body.data, { recorded: true }, answer.text)
  }
  const report = (status: string) => driver.post(`/driver/status?token=${token}`, { status })
  assert.strictEqual((await report("en_route")).status, 200)
  return { path, token, tell, report }
}

describe("following a trip over HTTP", () => {
  let place: Installation
  let server: Server
  let account: Account
  let driverId: number
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
    const hired = await account.client.post<{ readonly driver_id: number }>("/drivers", { name: "Joan" })
    driverId = hired.body.data.driver_id
  })
  afterAll(() => place.remove())

  it("sends each new position, and ends with the trip", async () => {
    const { path, report, tell } = await underWay(server, account, driverId)
    const stream = await streamOf(`${server.api}${path}/location/stream`, bearer(account.apiKey))
    assert.strictEqual(stream.response.headers["content-type"], "text/event-stream")
    await until(() => stream.soFar().includes("event: status"))
    for (const lat of [1, 2, 3]) {
      await tell(lat)
      await until(() => position(lat).test(stream.soFar()))
    }
    await report("completed")
    await until(stream.isOver)
    assert.match(stream.soFar(), /event: status\ndata: .*"status":"completed".*\n\n$/u)
  })

  // Within a second, which the tests of CredentialWatch show by their own clock.
  it("ends once its credential is revoked on another server", async () => {
    const other = await place.serve()
    const { path, tell } = await underWay(server, account, driverId)
    const stream = `${server.api}${path}/location/stream`
    const session = async () => {
      const { body } = await clientOf(server.api).post<LoginResult>("/auth/login", account)
      return body.data
    }
    const newKey = async () => {
      const made = await clientOf(server.api, bearer(account.accessToken)).post<CreatedApiKey>("/me/api-keys")
      return made.body.data.api_key
    }
    const [key, staying] = [await newKey(), await session()]
    const leaving = await session()
    const [byKey, byLeaving, byStaying] = [
      await streamOf(stream, bearer(key)),
      await streamOf(stream, bearer(leaving.access_token)),
      await streamOf(stream, bearer(staying.access_token))
    ]
    await tell(6)
    for (const one of [byKey, byLeaving, byStaying]) await until(() => position(6).test(one.soFar()))
    await fetch(`${other.api}/me/api-keys`, {
      method: "DELETE",
      headers: { ...bearer(account.accessToken), "Content-Type": "application/json" },
      body: JSON.stringify({ api_key: key })
    })
    const { refresh_token } = leaving
    const loggedOut = await clientOf(other.api).post("/auth/logout", { refresh_token })
    assert.deepStrictEqual(loggedOut.body.data, { logged_out: true }, loggedOut.text)
    await until(() => byKey.isOver() && byLeaving.isOver())
    assert.isFalse(byStaying.isOver())
    byStaying.leave()
    await other.stop()
  })

  // Within a second, which the tests of TripWatch show by their own clock.
  it("sends what another server has recorded", async () => {
    const other = await place.serve()
    const { path, tell } = await underWay(server, account, driverId)
    const stream = await streamOf(`${other.api}${path}/location/stream`, bearer(account.apiKey))
    await until(() => stream.soFar().includes("event: status"))
    await tell(4)
    await until(() => position(4).test(stream.soFar()))
    assert.match(stream.soFar(), position(4))
    stream.leave()
    await other.stop()
  })

  it("ends with its tracking link, and leaves nothing behind when a client disconnects", async () => {
    const { path, tell } = await underWay(server, account, driverId)
    const { body } = await account.client.post<{ readonly token: string }>(`${path}/tracking-link`)
    const stream = `${server.api}/public/tracking/${body.data.token}/stream`
    const [first, second] = [await streamOf(stream), await streamOf(stream)]
    const own = await streamOf(`${server.api}${path}/location/stream`, bearer(account.apiKey))
    await tell(5)
    for (const stream of [first, second, own]) await until(() => position(5).test(stream.soFar()))
    const followers = async () =>
      /^livery_trip_followers (\d+)$/mu.exec(await (await fetch(`${server.address}/metrics`)).text())?.[1]
    assert.strictEqual(await followers(), "3")
    first.leave()
    await until(async () => (await followers()) === "2")
    await fetch(`${server.api}${path}/tracking-link`, { method: "DELETE", headers: bearer(account.apiKey) })
    await until(() => second.isOver())
    assert.isFalse(own.isOver())
    own.leave()
    await until(async () => (await followers()) === "0")
  })

  it("is ended by a server that is stopping", async () => {
    const other = await place.serve()
    const { path } = await underWay(server, account, driverId)
    const stream = await streamOf(`${other.api}${path}/location/stream`, bearer(account.apiKey))
    await until(() => stream.soFar().includes("event: status"))
    other.program.signal("SIGTERM")
    assert.deepInclude(await outcomeOf(other.program), { code: 0, signal: null })
    await until(stream.isOver)
    assert.isTrue(
      stream.response.complete,
      "the server ended the stream, and did not wait until it could cut it off"
    )
  })
})
