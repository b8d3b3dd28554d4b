import type { CreatedEndpointRecord, Delivery } from "@livery/domain"
import { Agent, get } from "node:http"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { signUp, trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { openPost, untilRefused } from "./support/OpenRequest.ts"
import { query } from "./support/DatabaseRows.ts"
import { outcomeOf } from "./support/Program.ts"
import { type Receiver, receiver, status } from "./support/Receiver.ts"

describe("on SIGTERM", () => {
  let place: Installation
  let ears: Receiver
  beforeEach(async () => {
    ;[place, ears] = await Promise.all([installation(), receiver()])
  })
  afterEach(async () => {
    await ears.close()
    await place.remove()
  })

  /** Lets the test's server have an embedded database, which must end with it. */
  const onEmbedded = async () => {
    await place.remove()
    place = await installation({ embedded: "copied" })
  }

  it("finishes the request and the delivery in flight, accepts no new ones, and leaves no process", async () => {
    await onEmbedded()
    const server = await place.serve()
    const account = await signUp(place, server)
    const subscription = { url: ears.url, events: ["trip.created"] }
    const { body } = await account.client.post<CreatedEndpointRecord>("/webhooks", subscription)
    const answers: Array<() => void> = []
    ears.answerWith((notice, response) => {
      answers.push(() => status(200)(notice, response))
    })
    assert.strictEqual((await account.client.post("/trips", trip("First"))).status, 201)
    const { event } = await ears.notice(() => true)
    const open = await openPost(`${server.api}/trips`, bearer(account.apiKey), trip("Second"))

    const stopped = server.stop()
    await untilRefused(server.address)
    assert.match(await open.finish(), /HTTP\/1\.1 201 [\s\S]*"customer_name":"Second"/u)
    ears.answerWith(status(200))
    for (const answer of answers) answer()
    assert.deepInclude(await stopped, { code: 0, signal: null })
    assert.isUndefined(place.postmaster())

    const next = await place.serve()
    const deliveries = await vi.waitFor(
      async () => {
        const path = `/webhooks/${body.data.endpoint_id}/deliveries`
        const { data } = (await account.through(next).get<ReadonlyArray<Delivery>>(path)).body
        assert.isTrue(
          data.length === 2 && data.every((delivery) => delivery.status === "delivered"),
          "both trips have events"
        )
        return data
      },
      { timeout: 60_000, interval: 20 }
    )
    const first = deliveries.find((delivery) => delivery.event_id === event.id)
    assert.strictEqual(first?.attempt, 1, "the delivery in flight was recorded, not sent again")
    assert.lengthOf(
      ears.notices.filter((notice) => notice.event.id === event.id),
      1
    )
  })

  it("is not ready, closes every connection after its response, and serves new ones", async () => {
    const server = await place.serve([], { SHUTDOWN_GRACE: "300" })
    const account = await signUp(place, server)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (path: string, from?: Agent) =>
      new Promise<{ readonly status: number | undefined; readonly connection: string | undefined }>(
        (resolve, reject) => {
          get(
            `${server.address}${path}`,
            { ...(from === undefined ? {} : { agent: from }), headers: bearer(account.apiKey) },
            (response) =>
              response
                .resume()
                .on("end", () =>
                  resolve({ status: response.statusCode, connection: response.headers.connection })
                )
          ).on("error", reject)
        }
      )
    assert.deepStrictEqual(await ask("/api/v1/ping", agent), { status: 200, connection: "keep-alive" })
    const open = await openPost(
      `${server.api}/trips`,
      { ...bearer(account.apiKey), Connection: "keep-alive" },
      trip("Ada")
    )
    const stopped = server.stop()
    await vi.waitUntil(async () => (await ask("/health/ready")).status === 503, {
      timeout: 60_000,
      interval: 5
    })
    assert.deepStrictEqual(
      await ask("/api/v1/ping", agent),
      { status: 200, connection: "close" },
      "kept alive"
    )
    assert.deepStrictEqual(
      await ask("/api/v1/ping"),
      { status: 200, connection: "close" },
      "a new connection"
    )
    assert.match(await open.finish(), /HTTP\/1\.1 201 [\s\S]*Connection: close/iu)
    assert.isUndefined(server.program.ending())
    agent.destroy()
    await server.kill()
    await stopped
  })

  it("ends by itself after the grace period", async () => {
    const server = await place.serve([], { SHUTDOWN_GRACE: "1" })
    assert.deepInclude(await server.stop(), { code: 0, signal: null })
  })

  it("interrupts and records an attempt whose receiver hangs, and releases its claim", async () => {
    const server = await place.serve([], { SHUTDOWN_GRACE: "0" })
    const account = await signUp(place, server)
    await account.client.post("/webhooks", { url: ears.url, events: ["trip.created"] })
    ears.answerWith(() => undefined)
    await account.client.post("/trips", trip())
    await ears.notice(() => true)
    assert.deepInclude(await server.stop(), { code: 0, signal: null })
    const deliveries = await query(
      place,
      "select attempt, status, last_error, jsonb_array_length(attempts) as recorded, claim_id from webhook_deliveries"
    )
    assert.deepStrictEqual(deliveries, [
      { attempt: 1, status: "pending", last_error: "interrupted", recorded: 1, claim_id: null }
    ])
  })

  it("tells a client whose request it aborts that the change may be saved", async () => {
    const server = await place.serve(["--only", "api"], { SHUTDOWN_GRACE: "0" })
    // In a process of its own, so that the attempt goes on while the API stops.
    const workers = place.launch(["serve", "--only", "webhooks"], { SHUTDOWN_GRACE: "0" })
    const account = await signUp(place, server)
    const { body } = await account.client.post<CreatedEndpointRecord>("/webhooks", {
      url: ears.url,
      events: ["trip.created"]
    })
    // The response to a disabling waits for the attempt, after its commit.
    ears.answerWith(() => undefined)
    await account.client.post("/trips", trip())
    await ears.notice(() => true)
    const disabling = account.client.patch(`/webhooks/${body.data.endpoint_id}`, { status: "disabled" })
    const isDisabled = async () => {
      const [endpoint] = await query(place, "select status from webhook_endpoints")
      return endpoint?.["status"] === "disabled"
    }
    await vi.waitUntil(isDisabled, { timeout: 60_000, interval: 20 })
    const stopped = server.stop()
    const { body: refusal, headers, status: code } = await disabling
    assert.strictEqual(code, 500)
    assert.strictEqual(refusal.error?.type, "server_error")
    assert.match(refusal.error?.message ?? "", /unknown whether the change was saved/u)
    assert.strictEqual(headers.get("retry-after"), "1")
    assert.deepInclude(await stopped, { code: 0, signal: null })
    workers.signal("SIGTERM")
    assert.deepInclude(await workers.ended, { code: 0, signal: null })
  })

  it("destroys the connection of a client that never completes its request", async () => {
    const server = await place.serve()
    const account = await signUp(place, server)
    const open = await openPost(`${server.api}/trips`, bearer(account.apiKey), trip("Ada"))
    assert.deepInclude(await server.stop(), { code: 0, signal: null })
    assert.notMatch(await open.finish().catch(() => ""), /HTTP\/1\.1 201/u)
  })

  // That it does not wait for the connection is shown by the tests of NodeServer, by their own clock.
  it.for(["SIGTERM", "SIGINT"] as const)("stops while a connection is idle: %s", async (signal) => {
    await onEmbedded()
    const server = await place.serve()
    const agent = new Agent({ keepAlive: true })
    await new Promise((resolve, reject) => {
      get(`${server.address}/health/live`, { agent }, (response) => response.resume().on("end", resolve)).on(
        "error",
        reject
      )
    })
    server.program.signal(signal)
    assert.deepInclude(await outcomeOf(server.program), { code: 0, signal: null })
    assert.isUndefined(place.postmaster())
    agent.destroy()
  })
})

describe("API and workers as two processes", () => {
  it("deliver each trip's event, and the last one to end stops the database", async () => {
    const [place, ears] = await Promise.all([installation({ embedded: "copied" }), receiver()])
    try {
      const api = await place.serve(["--only", "api"])
      const workers = place.launch(["serve", "--only", "webhooks"])
      const account = await signUp(place, api)
      await account.client.post("/webhooks", { url: ears.url, events: ["trip.created"] })
      for (const name of ["Ada", "Grace", "Joan"]) {
        const { status } = await account.client.post("/trips", trip(name))
        assert.strictEqual(status, 201)
        await ears.notice(({ event }) => event.data["customer_name"] === name)
      }
      assert.notInclude(workers.stdout(), "API", "it serves none")
      workers.signal("SIGTERM")
      assert.deepInclude(await workers.ended, { code: 0, signal: null })
      assert.strictEqual((await clientOf(api.address).get("/health/ready")).status, 200)
      assert.strictEqual((await account.client.post("/trips", trip("Untold"))).status, 201)
      assert.deepInclude(await api.stop(), { code: 0, signal: null })
      assert.isUndefined(place.postmaster())
      assert.isFalse(ears.notices.some(({ event }) => event.data["customer_name"] === "Untold"))
    } finally {
      await ears.close()
      await place.remove()
    }
  })
})
