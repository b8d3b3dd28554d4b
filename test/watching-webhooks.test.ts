import type { CreatedEndpointRecord, Delivery } from "@livery/domain"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createServer, type AddressInfo } from "node:net"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Program } from "./support/Program.ts"
import { type Answering, type Receiver, receiver, status } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

/** Where the workers say that they can be watched. */
const watchedAt = (workers: Program) =>
  vi.waitUntil(
    () => /^ {2}Metrics {2,}(?<url>http:\S+)\/metrics$/mu.exec(workers.stdout())?.groups?.["url"],
    {
      timeout: 60_000,
      interval: 10
    }
  )

/** The value of a series, or 0. */
const valueOf = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length) ?? 0
  )

/** The queries of the dashboard, each with the series and the labels by which it groups them. */
const dashboardQueries = () => {
  const { panels } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../deploy/grafana-dashboard.json"), "utf8")
  ) as { readonly panels: ReadonlyArray<{ readonly targets: ReadonlyArray<{ readonly expr: string }> }> }
  return panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => ({
      expr,
      series: /livery_\w+/u.exec(expr)?.[0] ?? "",
      labels: /\bby \(([\w, ]+)\)/u.exec(expr)?.[1]?.split(", ") ?? []
    }))
  )
}

const metricsOf = async (address: string) => (await fetch(`${address}/metrics`)).text()

const failuresTold = (program: Program) =>
  program
    .stderr()
    .split("\n")
    .filter((line) => line.includes('"A webhook attempt failed"'))
    .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))

/** A figure that is 0; on a distributed database, that of a node. */
const isZero = (name: string) => new RegExp(String.raw`^${name}(?:\{.*\})? 0$`, "mu")

describe("workers alone", () => {
  let place: Installation
  let ears: Receiver
  beforeAll(async () => {
    ;[place, ears] = await Promise.all([installation(), receiver()])
  })
  afterAll(async () => {
    await ears.close()
    await place.remove()
  })

  it("serve only metrics and health on WORKERS_PORT", async () => {
    const api = await place.serve(["--only", "api"])
    const workers = place.launch(["serve", "--only", "webhooks"], { WORKERS_PORT: "0" })
    const address = await watchedAt(workers)
    const account = await signUp(place, api)
    await account.client.post("/webhooks", { url: ears.url, events: ["trip.created"] })
    for (const name of ["Ada", "Grace"]) await account.client.post("/trips", trip(name))
    await ears.notice(() => ears.notices.length === 2)
    const reported = await vi.waitFor(
      async () => {
        const text = await metricsOf(address)
        assert.strictEqual(valueOf(text, 'livery_webhook_deliveries_total{outcome="delivered"}'), 2)
        return text
      },
      { timeout: 60_000, interval: 50 }
    )
    assert.strictEqual(valueOf(reported, 'livery_webhook_attempts_total{outcome="acknowledged"}'), 2)
    assert.strictEqual(valueOf(reported, "livery_webhook_lag_seconds_count"), 2)
    assert.match(reported, isZero("livery_webhook_backlog"))
    assert.match(reported, isZero("livery_webhook_oldest_due_seconds"))
    // The workers assign positions also when no client reads the feed.
    await vi.waitFor(async () => assert.match(await metricsOf(address), isZero("livery_event_feed_lag")), {
      timeout: 60_000,
      interval: 100
    })
    const scraped = [...(await metricsOf(address)).split("\n"), ...(await metricsOf(api.address)).split("\n")]
    for (const { expr, labels, series } of dashboardQueries()) {
      const lines = scraped.filter((line) => line.startsWith(`${series}{`) || line.startsWith(`${series} `))
      assert.isNotEmpty(lines, expr)
      for (const line of lines)
        // A database that is not distributed has no nodes.
        for (const label of labels.filter((label) => label !== "node"))
          assert.match(line, new RegExp(`[{,]${label}="`, "u"))
    }
    for (const probe of ["live", "ready"])
      assert.strictEqual((await fetch(`${address}/health/${probe}`)).status, 200, probe)
    for (const path of ["/api/v1/trips", "/api/v1/auth/login", "/docs", "/openapi.json", "/uploads/x"]) {
      const answer = await fetch(`${address}${path}`, { headers: bearer(account.apiKey) })
      assert.strictEqual(answer.status, 404, path)
      const body = (await answer.json()) as { readonly error?: { readonly type?: string } }
      assert.strictEqual(body.error?.type, "not_found", path)
    }
    assert.strictEqual((await fetch(`${address}/metrics`, { method: "POST" })).status, 405)
    workers.signal("SIGTERM")
    assert.deepInclude(await workers.ended, { code: 0, signal: null })
  })

  it("refuse to start if the configured WORKERS_PORT is taken", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    const { port } = taken.address() as AddressInfo
    const { code, stderr } = await place.run(["serve", "--only", "webhooks"], {
      settings: { WORKERS_PORT: String(port) }
    })
    taken.close()
    assert.strictEqual(code, 1)
    assert.match(
      stderr,
      new RegExp(`^WORKERS_PORT ${port} on HOST 127.0.0.1 cannot be listened on: .+$`, "mu")
    )
  })

  it("without WORKERS_PORT, any number of them run on one machine", async () => {
    const both = [1, 2].map(() =>
      place.launch(["serve", "--only", "webhooks"], { WORKERS_PORT: "", PORT: "3001" })
    )
    for (const workers of both)
      await vi.waitUntil(() => workers.stdout().includes("workers are ready"), {
        timeout: 60_000,
        interval: 10
      })
    for (const workers of both) {
      assert.isUndefined(workers.ending())
      workers.signal("SIGTERM")
      assert.deepInclude(await workers.ended, { code: 0, signal: null })
    }
  })
})

describe("an endpoint that is disabled while attempts are under way", () => {
  let place: Installation
  let ears: Receiver
  let server: Server
  let account: Account
  beforeEach(async () => {
    ;[place, ears] = await Promise.all([installation(), receiver()])
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterEach(async () => {
    await ears.close()
    await place.remove()
  })

  it("has its deliveries counted as failed, each once, and no retry of them announced", async () => {
    const { body } = await account.client.post<CreatedEndpointRecord>("/webhooks", {
      url: ears.url,
      events: ["trip.created"]
    })
    const path = `/webhooks/${body.data.endpoint_id}`
    const held: Array<(answering: Answering) => void> = []
    ears.answerWith((notice, response) => held.push((answering) => answering(notice, response)))
    for (const name of ["Ada", "Grace", "Joan"]) await account.client.post("/trips", trip(name))
    await ears.notice(() => ears.notices.length === 3)
    const disabling = fetch(`${server.api}${path}`, {
      method: "PATCH",
      headers: { ...bearer(account.apiKey), "Content-Type": "application/json" },
      body: JSON.stringify({ status: "disabled" })
    })
    await vi.waitUntil(
      async () => {
        const { body } = await account.client.get<ReadonlyArray<Delivery>>(`${path}/deliveries?status=failed`)
        return body.data.length === 3
      },
      { timeout: 60_000, interval: 20 }
    )
    for (const [index, answer] of held.entries()) answer(status(index === 0 ? 204 : 503))
    assert.strictEqual((await disabling).status, 200)
    await vi.waitUntil(() => failuresTold(server.program).length === 2, { timeout: 60_000, interval: 20 })
    for (const line of failuresTold(server.program)) {
      assert.strictEqual(line["retry_in_s"], null)
      assert.strictEqual(line["status"], "failed")
    }
    const received = await metricsOf(server.address)
    assert.strictEqual(valueOf(received, 'livery_webhook_deliveries_total{outcome="failed"}'), 3)
    assert.strictEqual(valueOf(received, 'livery_webhook_deliveries_total{outcome="delivered"}'), 0)
    assert.strictEqual(valueOf(received, 'livery_webhook_attempts_total{outcome="acknowledged"}'), 1)
    assert.strictEqual(valueOf(received, 'livery_webhook_attempts_total{outcome="http_5xx"}'), 2)
  })
})
