import { type CreatedEndpointRecord, verify } from "@livery/domain"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { type Notice, receiver, status } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

const secret = "whsec_of_the_developer"

const verified = ({ headers, raw }: Notice, by = secret) =>
  verify(headers["x-service-signature"]?.toString(), raw, by, { toleranceSeconds: Infinity })

const ownHeaders = new Set(["connection", "host", "x-service-signature"])

/** The headers of a delivery, apart from those that differ between two POSTs of one event. */
const comparable = ({ headers }: Notice) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)))

describe("commands for developers of receivers", () => {
  let place: Installation
  let server: Server
  let account: Account
  const settings = () => ({
    LIVERY_URL: server.address,
    LIVERY_API_KEY: account.apiKey,
    LIVERY_WEBHOOK_SECRET: secret
  })
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterAll(() => place.remove())

  const subscribe = async (url: string) => {
    const made = await account.client.post<CreatedEndpointRecord>("/webhooks", {
      url,
      events: ["trip.created"]
    })
    assert.strictEqual(made.status, 201, made.text)
    return made.body.data
  }

  it("livery listen forwards new events with the body and the headers of a delivery, and prints the outcome", async () => {
    const [ears, endpoint] = [await receiver(), await receiver()]
    try {
      await account.client.post("/trips", trip())
      await subscribe(endpoint.url)
      const listening = place.launch(["listen", "--forward-to", ears.url], settings())
      await vi.waitUntil(() => listening.stdout().includes("Forwarding events of"), { timeout: 60_000 })
      assert.match(listening.stdout(), new RegExp(`^Signing secret: ${secret}$`, "mu"))
      ears.answerWith(status(418))
      await account.client.post("/trips", trip())
      const forwarded = await ears.notice(() => true, 25_000)
      const delivered = await endpoint.notice(({ event }) => event.id === forwarded.event.id, 25_000)
      assert.strictEqual(forwarded.raw, delivered.raw)
      assert.deepStrictEqual(comparable(forwarded), comparable(delivered))
      assert.strictEqual((await verified(forwarded)).id, forwarded.event.id)
      await vi.waitUntil(() => listening.stdout().includes(`trip.created  ${forwarded.event.id}  418`), {
        timeout: 60_000
      })
      assert.lengthOf(ears.notices, 1, "the trip from before is not forwarded")
      listening.signal("SIGINT")
      assert.strictEqual((await listening.ended).code, 130)
    } finally {
      await Promise.all([ears.close(), endpoint.close()])
    }
  })

  it("livery listen does not read the events from before", async () => {
    const paths: Array<string> = []
    const recorder = createServer((request, response) => {
      paths.push(request.url ?? "")
      const { authorization = "" } = request.headers
      void fetch(`${server.address}${request.url}`, { headers: { authorization } }).then(async (answer) =>
        response.writeHead(answer.status).end(await answer.text())
      )
    })
    await new Promise<void>((resolve) => void recorder.listen(0, "127.0.0.1", resolve))
    const { port } = recorder.address() as AddressInfo
    try {
      await account.client.post("/trips", trip())
      const listening = place.launch(["listen", "--forward-to", "http://127.0.0.1:9/"], {
        ...settings(),
        LIVERY_URL: `http://127.0.0.1:${port}`
      })
      await vi.waitUntil(() => paths.length >= 3, { timeout: 60_000 })
      const [first, ...later] = paths.map((path) => new URLSearchParams(path.split("?")[1]).get("after"))
      assert.strictEqual(first, "latest")
      assert.match(later[0] ?? "", /^[\w-]+$/u)
      assert.deepStrictEqual(
        [...new Set(later)],
        [later[0]],
        "no event came, so the reader stays where it began"
      )
      listening.signal("SIGINT")
      await listening.ended
    } finally {
      recorder.closeAllConnections()
      await new Promise((resolve) => recorder.close(resolve))
    }
  })

  it("livery listen prints a new secret without LIVERY_WEBHOOK_SECRET, and signs with it", async () => {
    const ears = await receiver()
    try {
      const { LIVERY_WEBHOOK_SECRET: _, ...others } = settings()
      const listening = place.launch(["listen", "--forward-to", ears.url], others)
      await vi.waitUntil(() => listening.stdout().includes("Forwarding events of"), { timeout: 60_000 })
      const printed = /^Signing secret: (whsec_[\w-]{43})$/mu.exec(listening.stdout())?.[1] ?? ""
      await account.client.post("/trips", trip())
      const notice = await ears.notice(() => true, 25_000)
      assert.strictEqual((await verified(notice, printed)).type, "trip.created")
      listening.signal("SIGINT")
      await listening.ended
    } finally {
      await ears.close()
    }
  })

  it("livery listen refuses to start without a key, with a wrong one, or without a server", async () => {
    const listen = (over: Readonly<Record<string, string>>) =>
      place.run(["listen", "--forward-to", "http://127.0.0.1:9/"], { settings: { ...settings(), ...over } })
    const withoutKey = await listen({ LIVERY_API_KEY: "" })
    assert.deepStrictEqual(
      [withoutKey.code, withoutKey.stderr],
      [1, "unauthenticated: Set LIVERY_API_KEY to an API key\n"]
    )
    const wrongKey = await listen({ LIVERY_API_KEY: "wrong" })
    assert.strictEqual(wrongKey.code, 1)
    assert.match(wrongKey.stderr, /^[a-z_]+: [^\n]+\n$/u)
    const away = await listen({ LIVERY_URL: "http://127.0.0.1:9" })
    assert.deepStrictEqual(
      [away.code, away.stderr],
      [
        1,
        "unreachable: http://127.0.0.1:9 does not answer: check the address, and that livery serve runs there\n"
      ]
    )
  })

  it("livery trigger sends a test event through the enabled endpoints, or through one", async () => {
    const ears = await receiver()
    try {
      const { endpoint_id, secret: own } = await subscribe(ears.url)
      const { code, stderr, stdout } = await place.run(
        ["trigger", "invoice.paid", "--endpoint", String(endpoint_id)],
        { settings: settings() }
      )
      assert.strictEqual(code, 0, stderr)
      const notice = await ears.notice(({ event }) => event.type === "invoice.paid", 25_000)
      assert.strictEqual(stdout, `invoice.paid  ${notice.event.id}  endpoint ${endpoint_id}  ${ears.url}\n`)
      assert.isTrue((await verified(notice, own)).meta.test)
      const all = await place.run(["trigger", "trip.created"], { settings: settings() })
      assert.include(all.stdout, `endpoint ${endpoint_id}  `)
      await ears.notice(({ event }) => event.type === "trip.created" && event.meta.test === true, 25_000)
      const none = await place.run(["trigger", "trip.created", "--endpoint", "999999"], {
        settings: settings()
      })
      assert.strictEqual(none.code, 1)
      assert.match(none.stderr, /^not_found: [^\n]+\n$/u)
    } finally {
      await ears.close()
    }
  })

  it("livery trigger --forward-to posts a signed sample without a server, and fails unless it is acknowledged", async () => {
    const ears = await receiver()
    try {
      const settingsAlone = { LIVERY_WEBHOOK_SECRET: secret }
      const trigger = () =>
        place.run(["trigger", "driver.assigned", "--forward-to", ears.url], { settings: settingsAlone })
      const sent = await trigger()
      assert.strictEqual(sent.code, 0, sent.stderr)
      const [notice] = ears.notices
      assert.isDefined(notice)
      assert.strictEqual(sent.stdout, `driver.assigned  ${notice.event.id}  204\n`)
      assert.isTrue((await verified(notice)).meta.test)
      ears.answerWith(status(500))
      const refused = await trigger()
      assert.deepStrictEqual([refused.code, refused.stderr], [1, "not_acknowledged: http 500\n"])
    } finally {
      await ears.close()
    }
  })

  it("livery trigger refuses an event that does not exist", async () => {
    const { code, stderr, stdout } = await place.run(["trigger", "trip.exploded"])
    assert.strictEqual(code, 2)
    assert.include(`${stdout}${stderr}`, "trip.exploded")
  })
})
